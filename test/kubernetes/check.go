// Builds a kustomization as `kubectl apply -k` does, and reads each object into the types of the API server, which know every field and its
// type: `check FOLDER` prints what is not as it should be, else the objects; `check -` reads objects from standard input instead.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

func main() {
	objects, err := read(os.Args[1])
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		core.AddToScheme, apps.AddToScheme, autoscaling.AddToScheme, policy.AddToScheme, networking.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	// Strict: an unknown field or a key twice is an error, as for `kubectl --validate=strict`.
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	failed := 0
	for _, object := range objects {
		_, kind, err := decoder.Decode([]byte(object), nil, nil)
		if err != nil {
			fmt.Printf("WRONG: %v\n", err)
			failed++
			continue
		}
		fmt.Printf("%s %s\n", kind.GroupVersion(), kind.Kind)
	}
	if failed > 0 || len(objects) == 0 {
		os.Exit(1)
	}
}

// The objects as YAML, one each.
func read(from string) ([]string, error) {
	if from == "-" {
		text, err := io.ReadAll(os.Stdin)
		return strings.Split(string(text), "\n---\n"), err
	}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), from)
	if err != nil {
		return nil, err
	}
	objects := []string{}
	for _, resource := range built.Resources() {
		text, err := resource.AsYAML()
		if err != nil {
			return nil, err
		}
		objects = append(objects, string(text))
	}
	return objects, nil
}
