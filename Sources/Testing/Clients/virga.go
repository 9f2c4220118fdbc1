// Package virga gives each test a sandbox of its own on a running Virga server. Copy this file into a folder `virga` of your module.
//
// VIRGA_ENDPOINT is the URL of the server (default http://127.0.0.1:4566). VIRGA_CONTROL_TOKEN is its control token, if it has one, or
// VIRGA_CONTROL_TOKEN_FILE a file with it.
package virga

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/credentials/stscreds"
	"github.com/aws/aws-sdk-go-v2/service/sts"
)

// Sandbox is a cloud of its own at URL. The keys are those of the root user.
type Sandbox struct {
	Name, AccessKeyID, SecretAccessKey string
	URL                                string `json:"portURL"`
}

type object = map[string]any

// New creates a sandbox for a test, and deletes it when the test ends. Origin is "seed", or the name of a snapshot.
func New(t testing.TB, origin string) *Sandbox {
	t.Helper()
	box, err := Create(origin)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := box.Delete(); err != nil {
			t.Error(err)
		}
	})
	return box
}

// Create creates a sandbox. The server deletes it after an hour, if nothing else does.
func Create(origin string) (*Sandbox, error) {
	box := &Sandbox{}
	if err := call(endpoint(), "POST", "/sandboxes", object{"prefix": "go", "from": origin, "port": true, "expires": "PT1H"}, box); err != nil {
		return nil, err
	}
	// Another container reaches the port under the name by which it reaches the server.
	server, _ := url.Parse(endpoint())
	own, err := url.Parse(box.URL)
	box.URL = "http://" + net.JoinHostPort(server.Hostname(), own.Port())
	return box, err
}

// Delete deletes the sandbox. Snapshots of it remain.
func (box *Sandbox) Delete() error {
	return call(endpoint(), "DELETE", "/sandboxes/"+box.Name, nil, nil)
}

// Snapshot keeps the present state under the name of the sandbox, and returns this name.
func (box *Sandbox) Snapshot() (string, error) {
	return box.Name, call(endpoint(), "POST", "/sandboxes/"+box.Name+"/snapshots", object{"name": box.Name, "replace": true}, nil)
}

// DeleteSnapshot deletes a snapshot.
func DeleteSnapshot(name string) error {
	return call(endpoint(), "DELETE", "/snapshots/"+name, nil, nil)
}

// Restore puts the state of a snapshot in place of the sandbox's state.
func (box *Sandbox) Restore(snapshot string) error {
	return call(endpoint(), "POST", "/sandboxes/"+box.Name+"/restore", object{"snapshot": snapshot}, nil)
}

// Control sends a call of the control API to the sandbox, such as POST /clock, and decodes the answer unless it is nil.
func (box *Sandbox) Control(method, path string, body, answer any) error {
	return call(box.URL, method, path, body, answer)
}

// Token returns an ID token of a person, as after a login.
func (box *Sandbox) Token(provider, user string) (string, error) {
	var answer struct{ Token string }
	err := box.Control("POST", "/tokens", object{"provider": provider, "user": user}, &answer)
	return answer.Token, err
}

// Root returns the configuration of the SDK for the root user.
func (box *Sandbox) Root() aws.Config {
	return box.config(credentials.NewStaticCredentialsProvider(box.AccessKeyID, box.SecretAccessKey, ""))
}

// Assume returns the configuration of the SDK for a role, with the credentials that STS issues for an ID token.
func (box *Sandbox) Assume(role, token string) aws.Config {
	client := sts.NewFromConfig(box.config(aws.AnonymousCredentials{}))
	return box.config(aws.NewCredentialsCache(stscreds.NewWebIdentityRoleProvider(client, role, identity(token))))
}

// Env returns the variables for a child process that uses an SDK.
func (box *Sandbox) Env() []string {
	return append(os.Environ(), "AWS_ENDPOINT_URL="+box.URL, "AWS_REGION=us-east-1", "AWS_DEFAULT_REGION=us-east-1",
		"AWS_ACCESS_KEY_ID="+box.AccessKeyID, "AWS_SECRET_ACCESS_KEY="+box.SecretAccessKey)
}

// config makes every client use the sandbox, and never retry, so that a test sees each error.
func (box *Sandbox) config(provider aws.CredentialsProvider) aws.Config {
	resolve := func(string, string, ...any) (aws.Endpoint, error) {
		return aws.Endpoint{URL: box.URL, HostnameImmutable: true}, nil
	}
	return aws.Config{Region: "us-east-1", Credentials: provider, Retryer: func() aws.Retryer { return aws.NopRetryer{} },
		EndpointResolverWithOptions: aws.EndpointResolverWithOptionsFunc(resolve)}
}

type identity string

func (token identity) GetIdentityToken() ([]byte, error) { return []byte(token), nil }

func endpoint() string {
	if address := os.Getenv("VIRGA_ENDPOINT"); address != "" {
		return address
	}
	return "http://127.0.0.1:4566"
}

// controlToken returns the token of the environment, or "".
func controlToken() (string, error) {
	token, file := os.Getenv("VIRGA_CONTROL_TOKEN"), os.Getenv("VIRGA_CONTROL_TOKEN_FILE")
	if file == "" {
		return token, nil
	}
	if token != "" {
		return "", fmt.Errorf("VIRGA_CONTROL_TOKEN and VIRGA_CONTROL_TOKEN_FILE cannot be combined; set one of them")
	}
	content, err := os.ReadFile(file)
	return strings.TrimSuffix(strings.TrimSuffix(string(content), "\n"), "\r"), err
}

func call(address, method, path string, body, answer any) error {
	content, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(method, address+"/_virga"+path, bytes.NewReader(content))
	if err != nil {
		return err
	}
	token, err := controlToken()
	if err != nil {
		return err
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		text, _ := io.ReadAll(response.Body)
		return fmt.Errorf("%s /_virga%s: %s", method, path, text)
	}
	if answer == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(answer)
}
