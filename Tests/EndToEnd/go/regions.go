// Finds the regions of buckets with the AWS SDK for Go, and reads an object of each.
//
// Reads AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION as the SDK does, and CLOUD, the address of every connection.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/feature/s3/manager"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	transport := &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, os.Getenv("CLOUD"))
	}}
	settings := must(config.LoadDefaultConfig(
		ctx, config.WithRetryMaxAttempts(1), config.WithHTTPClient(&http.Client{Transport: transport})))
	client := s3.NewFromConfig(settings, func(options *s3.Options) { options.EndpointOptions.DisableHTTPS = true })
	for _, bucket := range os.Args[1:] {
		region := must(manager.GetBucketRegion(ctx, client, bucket))
		answer := must(client.GetObject(ctx, &s3.GetObjectInput{Bucket: aws.String(bucket), Key: aws.String("k")},
			func(options *s3.Options) { options.Region = region }))
		if body := must(io.ReadAll(answer.Body)); string(body) != region {
			log.Fatalf("%s holds %s, not %s", bucket, body, region)
		}
		fmt.Println(region)
	}
}
