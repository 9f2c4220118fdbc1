import Calls
import WireFormats

/// "As code": the walk so far as programs that run.
struct CodeExport {
    let page: WalkPage

    private var walk: Walk { page.walk }
    private var url: String { page.visit.place.services }

    var html: HTML {
        guard let token = walk.token, !walk.order.roleARN.isEmpty else { return "" }
        let blocks = programs(token.text).enumerated().map { index, program -> HTML in
            """
            <details class="fold" name="code"><summary>\(program.name)</summary>
            \(Parts.code(program.code, id: "code-\(index)", label: "\(program.name) code"))</details>

            """
        }
        return """
            <section class="step" id="code" aria-labelledby="code-title"><h2 id="code-title">As code</h2>
            <p class="soft">The programs contain the token of step 1, and run until it expires.</p>
            \(blocks)</section>

            """
    }

    private var key: String { walk.files.own.first ?? "\(walk.files.prefix)hello.txt" }

    private func programs(_ token: String) -> [(name: String, code: String)] {
        let order = walk.order
        let provider = order.providerID
        let bucket = walk.files.bucket.isEmpty ? "personal-files" : walk.files.bucket
        return [
            (
                "Python (boto3)",
                """
                import boto3

                url = \(Self.quoted(url))
                token = \(Self.quoted(token))
                sts = boto3.client("sts", endpoint_url=url, region_name="us-east-1")
                answer = sts.assume_role_with_web_identity(
                    RoleArn=\(Self.quoted(order.roleARN)), RoleSessionName=\(Self.quoted(order.sessionName)),\
                \(provider.isEmpty ? "" : " ProviderId=\(Self.quoted(provider)),") WebIdentityToken=token)
                keys = answer["Credentials"]
                s3 = boto3.client(
                    "s3", endpoint_url=url, region_name="us-east-1", aws_access_key_id=keys["AccessKeyId"],
                    aws_secret_access_key=keys["SecretAccessKey"], aws_session_token=keys["SessionToken"])
                print(s3.get_object(Bucket=\(Self.quoted(bucket)), Key=\(Self.quoted(key)))["Body"].read().decode())
                """
            ),
            (
                "AWS CLI",
                """
                export AWS_ENDPOINT_URL=\(Self.shell(url)) AWS_REGION=us-east-1
                aws sts assume-role-with-web-identity --role-arn \(Self.shell(order.roleARN)) \\
                  --role-session-name \(Self.shell(order.sessionName))\(provider.isEmpty ? "" : " --provider-id \(Self.shell(provider))") \\
                  --web-identity-token \(Self.shell(token)) > answer.json
                export AWS_ACCESS_KEY_ID=$(jq -r .Credentials.AccessKeyId answer.json)
                export AWS_SECRET_ACCESS_KEY=$(jq -r .Credentials.SecretAccessKey answer.json)
                export AWS_SESSION_TOKEN=$(jq -r .Credentials.SessionToken answer.json)
                aws s3 cp \(Self.shell("s3://\(bucket)/\(key)")) -
                """
            ),
            (
                "JavaScript",
                """
                import { S3Client, GetObjectCommand } from "@aws-sdk/client-s3"
                import { STSClient, AssumeRoleWithWebIdentityCommand } from "@aws-sdk/client-sts"

                const options = { endpoint: \(Self.quoted(url)), region: "us-east-1" }
                const { Credentials: keys } = await new STSClient(options).send(new AssumeRoleWithWebIdentityCommand({
                  RoleArn: \(Self.quoted(order.roleARN)), RoleSessionName: \(Self.quoted(order.sessionName)),\
                \(provider.isEmpty ? "" : " ProviderId: \(Self.quoted(provider)),")
                  WebIdentityToken: \(Self.quoted(token)) }))
                const s3 = new S3Client({ ...options, forcePathStyle: true, credentials: {
                  accessKeyId: keys.AccessKeyId, secretAccessKey: keys.SecretAccessKey, sessionToken: keys.SessionToken } })
                const { Body } = await s3.send(new GetObjectCommand({ Bucket: \(Self.quoted(bucket)), Key: \(Self.quoted(key)) }))
                console.log(await Body.transformToString())
                """
            ),
            (
                "curl",
                """
                curl --silent \(Self.shell(url + "/")) --data-urlencode Action=AssumeRoleWithWebIdentity --data-urlencode Version=2011-06-15 \\
                  --data-urlencode \(Self.shell("RoleArn=\(order.roleARN)")) --data-urlencode \(Self.shell("RoleSessionName=\(order.sessionName)")) \\
                \(provider.isEmpty ? "" : "  --data-urlencode \(Self.shell("ProviderId=\(provider)")) \\\n")\
                  --data-urlencode \(Self.shell("WebIdentityToken=\(token)"))
                """
            ),
        ]
    }

    /// A string of Python, JavaScript and JSON.
    private static func quoted(_ text: String) -> String { JSONValue.string(text).serialized() }

    /// A word of a POSIX shell.
    private static func shell(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}
