// Reads dashboards into Grafana's own types, which know every member of a dashboard, of its panels by their kind, and of Prometheus' queries:
// `check FILE …` prints what they have against each; `check -` reads one from standard input instead.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

func main() {
	// Without them the options of panels and the queries are read as anything.
	plugins.RegisterDefaultPlugins()
	failed := len(os.Args) < 2
	for _, file := range os.Args[1:] {
		text, err := read(file)
		if err != nil {
			panic(err)
		}
		wrong, panels := wrongIn(text)
		if wrong != "" {
			fmt.Printf("WRONG: %s: %s\n", file, wrong)
			failed = true
			continue
		}
		fmt.Printf("%s: %d panels\n", file, panels)
	}
	if failed {
		os.Exit(1)
	}
}

func wrongIn(text []byte) (wrong string, panels int) {
	// Strict: an unknown member, a wrong type and one that is missing are errors.
	var strict dashboard.Dashboard
	if wrong = told(strict.UnmarshalJSONStrict(text)); wrong != "" {
		return
	}
	// The panels' units, thresholds and mappings are read loosely there.
	var raw struct {
		Panels []struct {
			Title       string
			FieldConfig json.RawMessage
		}
	}
	if wrong = told(json.Unmarshal(text, &raw)); wrong != "" {
		return
	}
	for _, panel := range raw.Panels {
		var fields dashboard.FieldConfigSource
		if wrong = told(fields.UnmarshalJSONStrict(panel.FieldConfig)); wrong != "" {
			return panel.Title + ": fieldConfig." + wrong, panels
		}
	}
	// Read again, since what is read strictly has no panels: an empty list of errors ends its reading.
	var board dashboard.Dashboard
	if wrong = told(json.Unmarshal(text, &board)); wrong != "" {
		return
	}
	for _, each := range board.Panels {
		if each.Panel == nil {
			continue
		}
		panels++
		if _, found := cog.ConfigForPanelcfgVariant(each.Panel.Type); !found {
			return "no kind of panel is called " + each.Panel.Type, panels
		}
	}
	if panels == 0 {
		return "it has no panels", panels
	}
	return told(board.Validate()), panels
}

// The types have lists of errors, which are not nil where they are empty.
func told(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func read(file string) ([]byte, error) {
	if file == "-" {
		return io.ReadAll(os.Stdin)
	}
	return os.ReadFile(file)
}
