// A receiver of traces by OTLP over HTTP: the receiver of the OpenTelemetry Collector. It prints its port, and then
// each span as a line of JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"strconv"
	"strings"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"go.opentelemetry.io/otel/metric/noop"
	tracenoop "go.opentelemetry.io/otel/trace/noop"
	"go.uber.org/zap"
)

func main() {
	ctx := context.Background()
	address := freeAddress()
	traces, err := consumer.NewTraces(print)
	check(err)
	factory := otlpreceiver.NewFactory()
	started, err := factory.CreateTraces(ctx, settings(factory), config(factory, address.String()), traces)
	check(err)
	check(started.Start(ctx, host{}))
	fmt.Println(address.Port)
	select {}
}

func config(factory receiver.Factory, endpoint string) component.Config {
	config := factory.CreateDefaultConfig()
	http := map[string]any{"endpoint": endpoint}
	check(confmap.NewFromStringMap(map[string]any{"protocols": map[string]any{"http": http}}).Unmarshal(config))
	return config
}

func settings(factory receiver.Factory) receiver.Settings {
	return receiver.Settings{
		ID: component.NewID(factory.Type()),
		TelemetrySettings: component.TelemetrySettings{
			Logger:         zap.NewNop(),
			TracerProvider: tracenoop.NewTracerProvider(),
			MeterProvider:  noop.NewMeterProvider(),
		},
	}
}

// host has no extensions, because the receiver needs none.
type host struct{}

func (host) GetExtensions() map[component.ID]component.Component { return nil }

func print(_ context.Context, traces ptrace.Traces) error {
	for _, resource := range traces.ResourceSpans().All() {
		for _, scope := range resource.ScopeSpans().All() {
			for _, span := range scope.Spans().All() {
				line, err := json.Marshal(map[string]any{
					"traceId":    span.TraceID().String(),
					"spanId":     span.SpanID().String(),
					"parentId":   span.ParentSpanID().String(),
					"name":       span.Name(),
					"kind":       "SPAN_KIND_" + strings.ToUpper(span.Kind().String()),
					"failed":     span.Status().Code() == ptrace.StatusCodeError,
					"startNano":  strconv.FormatInt(span.StartTimestamp().AsTime().UnixNano(), 10),
					"endNano":    strconv.FormatInt(span.EndTimestamp().AsTime().UnixNano(), 10),
					"attributes": span.Attributes().AsRaw(),
					"resource":   resource.Resource().Attributes().AsRaw(),
				})
				if err != nil {
					return err
				}
				fmt.Println(string(line))
			}
		}
	}
	return nil
}

// freeAddress returns an address that was free a moment ago.
func freeAddress() *net.TCPAddr {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
