// Prints its caller identity, with the AWS SDK for Go. Reads AWS_ENDPOINT_URL, which this version of the SDK does not.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/sts"
)

func main() {
	settings, err := config.LoadDefaultConfig(context.TODO())
	if err != nil {
		log.Fatal(err)
	}
	client := sts.NewFromConfig(settings, func(options *sts.Options) {
		options.EndpointResolver = sts.EndpointResolverFromURL(os.Getenv("AWS_ENDPOINT_URL"))
	})
	caller, err := client.GetCallerIdentity(context.TODO(), &sts.GetCallerIdentityInput{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*caller.Arn)
}
