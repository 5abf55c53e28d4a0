"""Validates YAML files of deploy/: `compose <schema.json> <file>` or `kubernetes <version> <file>`. Prints each fault."""
import json
import sys

import jsonschema
import kubernetes_validate
import yaml


def compose(schema_file, file):
    with open(schema_file) as schema, open(file) as text:
        content = yaml.safe_load(text)
        # Extension fields carry what several services share. YAML has merged it already.
        validator = jsonschema.validators.validator_for(schema := json.load(schema))(schema)
        return [f"{fault.json_path}: {fault.message}" for fault in validator.iter_errors(content)]


def kubernetes(version, file):
    faults, kinds = [], []
    with open(file) as text:
        for manifest in yaml.safe_load_all(text):
            if manifest is None:
                continue
            kinds.append(manifest["kind"])
            try:
                kubernetes_validate.validate(manifest, version, strict=True)
            except kubernetes_validate.ValidationError as fault:
                faults.append(f"{manifest['kind']}: {fault.message}")
    print(" ".join(kinds))
    return faults


faults = {"compose": compose, "kubernetes": kubernetes}[sys.argv[1]](*sys.argv[2:])
for fault in faults:
    print(fault, file=sys.stderr)
sys.exit(1 if faults else 0)
