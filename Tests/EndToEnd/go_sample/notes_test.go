// Tests of an application that keeps each person's notes in a folder of a bucket. They run in parallel against one server.
package notes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go"

	"notes/virga"
)

const (
	bucket = "personal-files"
	role   = "arn:aws:iam::000000000000:role/personal-files-company"
	alice  = "employee-0001-alice/"
	bob    = "employee-0002-bob/"
)

var ctx = context.Background()

// prepared is the snapshot in which each test begins.
var prepared string

func TestMain(m *testing.M) {
	box, err := virga.Create("seed")
	if err == nil {
		err = put(s3.NewFromConfig(box.Root()), alice+"welcome", "Write your first note.")
	}
	if err == nil {
		prepared, err = box.Snapshot()
	}
	if err != nil {
		log.Fatal(err)
	}
	status := m.Run()
	box.Delete()
	virga.DeleteSnapshot(prepared)
	os.Exit(status)
}

// login returns the S3 client of a person, who exchanges an ID token for credentials of the role.
func login(t *testing.T, box *virga.Sandbox, person string) *s3.Client {
	t.Helper()
	token, err := box.Token("company", person)
	check(t, err)
	return s3.NewFromConfig(box.Assume(role, token))
}

func put(client *s3.Client, key, text string) error {
	_, err := client.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String(bucket), Key: aws.String(key), Body: bytes.NewReader([]byte(text))})
	return err
}

func get(client *s3.Client, key string) (string, error) {
	answer, err := client.GetObject(ctx, &s3.GetObjectInput{Bucket: aws.String(bucket), Key: aws.String(key)})
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return string(text), err
}

// list returns the names of alice's notes.
func list(t *testing.T, box *virga.Sandbox) string {
	t.Helper()
	answer, err := s3.NewFromConfig(box.Root()).ListObjectsV2(
		ctx, &s3.ListObjectsV2Input{Bucket: aws.String(bucket), Prefix: aws.String(alice)})
	check(t, err)
	var names []string
	for _, object := range answer.Contents {
		names = append(names, strings.TrimPrefix(*object.Key, alice))
	}
	return strings.Join(names, " ")
}

func code(err error) string {
	var refusal smithy.APIError
	if errors.As(err, &refusal) {
		return refusal.ErrorCode()
	}
	return fmt.Sprint(err)
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func expect[T comparable](t *testing.T, got, wanted T) {
	t.Helper()
	if got != wanted {
		t.Errorf("got %v, expected %v", got, wanted)
	}
}

func TestANoteComesBack(t *testing.T) {
	t.Parallel()
	client := login(t, virga.New(t, prepared), "alice")
	check(t, put(client, alice+"note", "hello"))
	text, err := get(client, alice+"note")
	check(t, err)
	expect(t, text, "hello")
}

func TestTheNoteOfAnotherPersonIsRefused(t *testing.T) {
	t.Parallel()
	client := login(t, virga.New(t, prepared), "alice")
	_, err := get(client, bob+"note")
	expect(t, code(err), "AccessDenied")
	expect(t, code(put(client, bob+"note", "")), "AccessDenied")
}

func TestEachTestBeginsInThePreparedState(t *testing.T) {
	for number := 0; number < 12; number++ {
		text := fmt.Sprint(number)
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			box := virga.New(t, prepared)
			expect(t, list(t, box), "hello.txt welcome")
			client := login(t, box, "alice")
			check(t, put(client, alice+"same", text))
			found, err := get(client, alice+"same")
			check(t, err)
			expect(t, found, text)
		})
	}
}

func TestARestoreUndoesEverything(t *testing.T) {
	t.Parallel()
	box := virga.New(t, prepared)
	client := login(t, box, "alice")
	check(t, put(client, alice+"note", "hello"))
	check(t, box.Restore(prepared))
	expect(t, list(t, box), "hello.txt welcome")
	// What was issued before the restore is unknown after it.
	_, err := get(client, alice+"welcome")
	expect(t, code(err), "InvalidToken")
}

func TestEachSandboxHasItsOwnClock(t *testing.T) {
	t.Parallel()
	box, other := virga.New(t, prepared), virga.New(t, prepared)
	aged, fresh := login(t, box, "alice"), login(t, other, "alice")
	for _, client := range []*s3.Client{aged, fresh} {
		_, err := get(client, alice+"welcome")
		check(t, err)
	}
	check(t, box.Control("POST", "/clock", map[string]any{"age": "PT1H5M"}, nil))
	_, err := get(aged, alice+"welcome")
	expect(t, code(err), "ExpiredToken")
	_, err = get(fresh, alice+"welcome")
	check(t, err)
}

func TestABadTokenIsRefused(t *testing.T) {
	t.Parallel()
	box := virga.New(t, prepared)
	var answer struct{ Token string }
	check(t, box.Control("POST", "/tokens", map[string]any{"provider": "company", "user": "alice", "fault": "wrongAudience"}, &answer))
	_, err := get(s3.NewFromConfig(box.Assume(role, answer.Token)), alice+"welcome")
	expect(t, code(err), "InvalidIdentityToken")
}
