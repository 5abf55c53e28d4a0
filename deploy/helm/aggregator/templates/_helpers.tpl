{{- define "aggregator.name" -}}
{{- printf "%s" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "aggregator.selector" -}}
app.kubernetes.io/name: aggregator
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "aggregator.labels" -}}
{{ include "aggregator.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "aggregator.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "aggregator.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "aggregator.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "aggregator.connectorsSelector" -}}
app.kubernetes.io/name: aggregator-connector
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "aggregator.connectorSelector" -}}
{{ include "aggregator.connectorsSelector" .root }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{- define "aggregator.connectorLabels" -}}
{{ include "aggregator.connectorSelector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end -}}

{{- /* What the service and its connectors may call. */ -}}
{{- define "aggregator.egress" -}}
- to:
    - namespaceSelector:
        matchLabels: { kubernetes.io/metadata.name: kube-system }
  ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]
- to:
    - ipBlock: { cidr: {{ .Values.networkPolicy.database.cidr }} }
  ports: [{ port: {{ .Values.networkPolicy.database.port }} }]
{{- with .Values.networkPolicy.collector }}
{{- if .enabled }}
- to: {{- toYaml .to | nindent 4 }}
  ports: [{ port: {{ .port }} }]
{{- end }}
{{- end }}
# Wallets and sources are at public addresses. The internal networks stay closed, above all the metadata service.
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except: [0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.168.0.0/16]
    - ipBlock:
        cidr: ::/0
        except: ["fc00::/7", "fe80::/10"]
  ports:
    {{- range .Values.networkPolicy.walletPorts }}
    - { port: {{ . }} }
    {{- end }}
{{- end -}}
