module aggregator.example/kits/go

go 1.22
