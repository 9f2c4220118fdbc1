import Calls
import ControlDocuments
import Directory
import WireFormats

/// "Connect": code that points clients at this server, made for the address at which the browser asked.
struct ConnectPanel {
    let visit: Visit
    let info: CloudInfo

    private struct Client {
        var name: String
        var code: String
    }

    var html: HTML {
        let blocks = clients.enumerated().map { index, client in
            (title: client.name, content: Parts.code(client.code, id: "connect-\(index)", label: "\(client.name) code"))
        }
        let certificate: HTML =
            info.tls == nil
            ? "" : "<p><a href=\"/_virga/ca.pem\" download>Download the CA certificate</a> that clients of the TLS port should trust.</p>\n"
        return """
            <section aria-labelledby="connect">
            <h2 id="connect">Connect</h2>
            \(hint)
            \(Parts.tabs(blocks, name: "connect", label: "Client"))\(certificate)<p><a href="/_virga/openapi.json">The control API as OpenAPI</a></p>
            </section>

            """
    }

    private var url: String { visit.place.services }

    /// The root user's access key in an account of a vendor. Only the secrets of the built-in seed are known.
    private func key(_ vendor: String, id: String, secret: String) -> (id: String, secret: String, isBuiltIn: Bool) {
        let keys = info.accounts.first { $0.vendor == vendor }?.accessKeys ?? []
        if keys.contains(id) { return (id, secret, true) }
        return (keys.first ?? "YOUR_ACCESS_KEY_ID", Self.unknownSecret, false)
    }

    private static let unknownSecret = "YOUR_SECRET_ACCESS_KEY"

    private var aws: (id: String, secret: String, isBuiltIn: Bool) { key("aws", id: "test", secret: "test") }
    private var alibaba: (id: String, secret: String, isBuiltIn: Bool) {
        key("alibaba", id: "LTAI5tVirgaRoot000000001", secret: "VirgaRootSecret0123456789abcdef")
    }

    private var hint: HTML {
        guard !aws.isBuiltIn else {
            return
                "<p class=\"soft\">The keys <code>test</code> / <code>test</code> are those of the root user in the built-in seed.</p>"
        }
        let place: HTML =
            visit.isStudent
            ? "<a href=\"\(SandboxesRoom.path)?keys=show\">Show the secret</a>, and replace"
            : "The secret is in the sandbox's seed: <a href=\"\(SandboxesRoom.path(of: info.sandbox))/seed\" download>download the seed</a>, and replace"
        return """
            <p class="soft"><code>\(Parts.value(aws.id))</code> is the access key of the root user. \(place) <code>\(Self.unknownSecret)</code> with it.</p>
            """
    }

    /// A provider of the seed that speaks OpenID Connect.
    private var issuer: String {
        info.providers.first { !IdentityProvider.Kind(of: $0).isSocial }?.issuer ?? "\(url)/idp/company"
    }

    private var clients: [Client] {
        [
            Client(
                name: "Shell",
                code: """
                    export AWS_ENDPOINT_URL=\(url) AWS_REGION=us-east-1 AWS_DEFAULT_REGION=us-east-1
                    export AWS_ACCESS_KEY_ID=\(aws.id) AWS_SECRET_ACCESS_KEY=\(aws.secret)
                    aws s3 ls
                    """),
            Client(
                name: "Python (boto3)",
                code: """
                    import boto3
                    s3 = boto3.client("s3", endpoint_url="\(url)", region_name="us-east-1",
                                      aws_access_key_id="\(aws.id)", aws_secret_access_key="\(aws.secret)")
                    print(s3.list_buckets()["Buckets"])
                    """),
            Client(
                name: "JavaScript",
                code: """
                    import { S3Client, ListBucketsCommand } from "@aws-sdk/client-s3"
                    const s3 = new S3Client({ endpoint: "\(url)", region: "us-east-1", forcePathStyle: true,
                      credentials: { accessKeyId: "\(aws.id)", secretAccessKey: "\(aws.secret)" } })
                    console.log(await s3.send(new ListBucketsCommand({})))
                    """),
            Client(
                name: "Java",
                code: """
                    S3Client s3 = S3Client.builder().endpointOverride(URI.create("\(url)")).region(Region.US_EAST_1)
                        .forcePathStyle(true).credentialsProvider(StaticCredentialsProvider.create(
                            AwsBasicCredentials.create("\(aws.id)", "\(aws.secret)"))).build();
                    s3.listBuckets().buckets().forEach(System.out::println);
                    """),
            Client(
                name: "Go",
                code: """
                    cfg, _ := config.LoadDefaultConfig(ctx, config.WithRegion("us-east-1"),
                        config.WithBaseEndpoint("\(url)"),
                        config.WithCredentialsProvider(credentials.NewStaticCredentialsProvider("\(aws.id)", "\(aws.secret)", "")))
                    client := s3.NewFromConfig(cfg, func(o *s3.Options) { o.UsePathStyle = true })
                    """),
            Client(
                name: "Swift (in a test)",
                code: """
                    import VirgaTesting
                    try await withCloud(seed: seed) { cloud in
                        let client = S3Client(endpoint: cloud.endpoint)
                    }
                    """),
            Client(
                name: "Terraform",
                code: """
                    provider "aws" {
                      region = "us-east-1"
                      access_key = "\(aws.id)"
                      secret_key = "\(aws.secret)"
                      s3_use_path_style = true
                      skip_requesting_account_id = true
                      endpoints { s3 = "\(url)" iam = "\(url)" sts = "\(url)" }
                    }
                    """),
            Client(
                name: "Alibaba Cloud OSS (oss2)",
                code: """
                    import oss2
                    auth = oss2.Auth("\(alibaba.id)", "\(alibaba.secret)")
                    bucket = oss2.Bucket(auth, "\(url)", "personal-photos", is_path_style=True)
                    bucket.put_object("hello.txt", "Hello")
                    """),
            Client(
                name: "OpenID Connect client",
                code: """
                    curl \(issuer)/.well-known/openid-configuration
                    """),
            Client(
                name: "Compose",
                code: """
                    services:
                      app:
                        environment:
                          AWS_ENDPOINT_URL: http://virga:4566
                          AWS_ACCESS_KEY_ID: \(aws.id)
                          AWS_SECRET_ACCESS_KEY: \(aws.secret)
                    """),
        ]
    }
}
