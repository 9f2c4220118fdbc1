// Common S3 operations of a Go program with the AWS SDK for Go. Exits with status 0 if everything was as expected.
//
// Reads AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_CA_BUNDLE as the SDK does, and ENDPOINT. Resolves names below localhost,
// which Go leaves to the system (RFC 6761 section 6.3).
package main

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/feature/s3/manager"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
)

const bucket = "workshop"

var ctx = context.Background()

func must[T any](value T, err error) T {
	if err != nil {
		log.Output(2, err.Error())
		os.Exit(1)
	}
	return value
}

func expect(holds bool, format string, arguments ...any) {
	if !holds {
		log.Output(2, fmt.Sprintf(format, arguments...))
		os.Exit(1)
	}
}

func main() {
	log.SetFlags(log.Lshortfile)
	sdk := awshttp.NewBuildableClient().WithTransportOptions(func(transport *http.Transport) { transport.DialContext = dial })
	settings := must(config.LoadDefaultConfig(ctx, config.WithRetryMaxAttempts(1), config.WithHTTPClient(sdk)))
	client := s3.NewFromConfig(settings, func(options *s3.Options) {
		options.UsePathStyle = true
		options.EndpointResolver = s3.EndpointResolverFromURL(os.Getenv("ENDPOINT"))
	})
	must(client.CreateBucket(ctx, &s3.CreateBucketInput{Bucket: aws.String(bucket)}))
	transfers(client)
	checksums(client)
	conditions(client)
	listings(client)
	links(client)
	removals(client)
}

func dial(ctx context.Context, network, address string) (net.Conn, error) {
	if host, port, err := net.SplitHostPort(address); err == nil && strings.HasSuffix(host, ".localhost") {
		address = net.JoinHostPort("127.0.0.1", port)
	}
	return new(net.Dialer).DialContext(ctx, network, address)
}

func random(length int) []byte {
	body := make([]byte, length)
	must(rand.Read(body))
	return body
}

func get(client *s3.Client, key, byteRange string) []byte {
	input := &s3.GetObjectInput{Bucket: aws.String(bucket), Key: aws.String(key), ChecksumMode: types.ChecksumModeEnabled}
	if byteRange != "" {
		input.Range = aws.String(byteRange)
	}
	answer := must(client.GetObject(ctx, input))
	defer answer.Body.Close()
	return must(io.ReadAll(answer.Body))
}

// code is the code of S3's error, or empty.
func code(err error) string {
	var refusal smithy.APIError
	if errors.As(err, &refusal) {
		return refusal.ErrorCode()
	}
	return ""
}

func transfers(client *s3.Client) {
	body := random(20 << 20)
	uploader := manager.NewUploader(client, func(uploader *manager.Uploader) { uploader.PartSize = 5 << 20 })
	// A reader without a length, so that the uploader cannot know how many parts there will be.
	must(uploader.Upload(ctx, &s3.PutObjectInput{
		Bucket: aws.String(bucket), Key: aws.String("film"), Body: io.MultiReader(bytes.NewReader(body)),
		ContentType: aws.String("video/mp4"), Metadata: map[string]string{"length": "short"},
		ChecksumAlgorithm: types.ChecksumAlgorithmCrc32c,
	}))
	head := must(client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: aws.String(bucket), Key: aws.String("film")}))
	expect(head.ContentLength == int64(len(body)) && *head.ContentType == "video/mp4", "%v", head)
	expect(head.Metadata["length"] == "short" && strings.HasSuffix(*head.ETag, `-4"`), "%v %s", head.Metadata, *head.ETag)

	file := must(os.CreateTemp("", "film"))
	defer os.Remove(file.Name())
	downloader := manager.NewDownloader(client, func(downloader *manager.Downloader) { downloader.PartSize = 6 << 20 })
	length := must(downloader.Download(ctx, file, &s3.GetObjectInput{Bucket: aws.String(bucket), Key: aws.String("film")}))
	expect(length == int64(len(body)), "downloaded %d bytes", length)
	expect(bytes.Equal(must(os.ReadFile(file.Name())), body), "the download differs")
	expect(bytes.Equal(get(client, "film", "bytes=1000-1999"), body[1000:2000]), "the range differs")

	must(client.CopyObject(ctx, &s3.CopyObjectInput{
		Bucket: aws.String(bucket), Key: aws.String("films/ü copy"), CopySource: aws.String(bucket + "/film"),
	}))
	expect(bytes.Equal(get(client, "films/ü copy", ""), body), "the copy differs")
}

func checksums(client *s3.Client) {
	body := random(100_000)
	for _, algorithm := range types.ChecksumAlgorithmCrc32.Values() {
		must(client.PutObject(ctx, &s3.PutObjectInput{
			Bucket: aws.String(bucket), Key: aws.String(string(algorithm)), Body: bytes.NewReader(body), ChecksumAlgorithm: algorithm,
		}))
		// The SDK itself compares the returned checksum.
		expect(bytes.Equal(get(client, string(algorithm), ""), body), "%s", algorithm)
	}
	_, err := client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: aws.String(bucket), Key: aws.String("x"), Body: bytes.NewReader(body), ContentMD5: aws.String("AAAAAAAAAAAAAAAAAAAAAA=="),
	})
	expect(code(err) == "BadDigest", "%v", err)
}

func conditions(client *s3.Client) {
	put := must(client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: aws.String(bucket), Key: aws.String("x"), Body: strings.NewReader("hello"),
	}))
	digest := md5.Sum([]byte("hello"))
	expect(*put.ETag == `"`+hex.EncodeToString(digest[:])+`"`, "%s", *put.ETag)
	_, err := client.GetObject(ctx, &s3.GetObjectInput{Bucket: aws.String(bucket), Key: aws.String("x"), IfNoneMatch: put.ETag})
	expect(code(err) == "NotModified", "%v", err)
	_, err = client.GetObject(ctx, &s3.GetObjectInput{Bucket: aws.String(bucket), Key: aws.String("x"), IfMatch: aws.String(`"0"`)})
	expect(code(err) == "PreconditionFailed", "%v", err)
	_, err = client.GetObject(ctx, &s3.GetObjectInput{Bucket: aws.String(bucket), Key: aws.String("missing")})
	var missing *types.NoSuchKey
	expect(errors.As(err, &missing), "%v", err)
	_, err = client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: aws.String(bucket), Key: aws.String("missing")})
	expect(code(err) == "NotFound", "%v", err)
	_, err = client.ListObjectsV2(ctx, &s3.ListObjectsV2Input{Bucket: aws.String("nowhere")})
	var nowhere *types.NoSuchBucket
	expect(errors.As(err, &nowhere), "%v", err)
}

func listings(client *s3.Client) {
	var keys, folders []string
	pages := s3.NewListObjectsV2Paginator(
		client, &s3.ListObjectsV2Input{Bucket: aws.String(bucket), Delimiter: aws.String("/"), MaxKeys: 2})
	for pages.HasMorePages() {
		page := must(pages.NextPage(ctx))
		for _, object := range page.Contents {
			keys = append(keys, *object.Key)
		}
		for _, folder := range page.CommonPrefixes {
			folders = append(folders, *folder.Prefix)
		}
	}
	expect(strings.Join(keys, " ") == "CRC32 CRC32C SHA1 SHA256 film x", "%v", keys)
	expect(strings.Join(folders, " ") == "films/", "%v", folders)
}

func links(client *s3.Client) {
	browser := &http.Client{Transport: &http.Transport{DialContext: dial}}
	if bundle := os.Getenv("AWS_CA_BUNDLE"); bundle != "" {
		trusted := x509.NewCertPool()
		expect(trusted.AppendCertsFromPEM(must(os.ReadFile(bundle))), "no certificate in %s", bundle)
		browser.Transport = &http.Transport{DialContext: dial, TLSClientConfig: &tls.Config{RootCAs: trusted}}
	}
	presigner := s3.NewPresignClient(client, s3.WithPresignExpires(time.Minute))
	link := must(presigner.PresignPutObject(ctx, &s3.PutObjectInput{Bucket: aws.String(bucket), Key: aws.String("linked")}))
	request := must(http.NewRequest(link.Method, link.URL, strings.NewReader("through a link")))
	answer := must(browser.Do(request))
	expect(answer.StatusCode == 200, "%s", must(io.ReadAll(answer.Body)))
	link = must(presigner.PresignGetObject(ctx, &s3.GetObjectInput{Bucket: aws.String(bucket), Key: aws.String("linked")}))
	answer = must(browser.Get(link.URL))
	expect(string(must(io.ReadAll(answer.Body))) == "through a link", "status %d", answer.StatusCode)
}

func removals(client *s3.Client) {
	_, err := client.DeleteBucket(ctx, &s3.DeleteBucketInput{Bucket: aws.String(bucket)})
	expect(code(err) == "BucketNotEmpty", "%v", err)
	listed := must(client.ListObjectsV2(ctx, &s3.ListObjectsV2Input{Bucket: aws.String(bucket)}))
	var objects []types.ObjectIdentifier
	for _, object := range listed.Contents {
		objects = append(objects, types.ObjectIdentifier{Key: object.Key})
	}
	deleted := must(client.DeleteObjects(ctx, &s3.DeleteObjectsInput{
		Bucket: aws.String(bucket), Delete: &types.Delete{Objects: objects},
	}))
	expect(len(deleted.Deleted) == len(objects) && len(deleted.Errors) == 0, "%v", deleted)
	must(client.DeleteBucket(ctx, &s3.DeleteBucketInput{Bucket: aws.String(bucket)}))
	waiter := s3.NewBucketNotExistsWaiter(client)
	if err := waiter.Wait(ctx, &s3.HeadBucketInput{Bucket: aws.String(bucket)}, time.Minute); err != nil {
		log.Fatal(err)
	}
}
