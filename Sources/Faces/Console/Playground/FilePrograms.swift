import WireFormats

/// Programs that get credentials by an unsigned request to AWS's STS, and read an object.
struct FilePrograms {
    let page: WalkPage

    private var url: String { page.visit.place.services }
    private var bucket: String { page.walk.files.bucket.isEmpty ? "personal-files" : page.walk.files.bucket }
    private var key: String { Experiment.ownKey(of: page.walk) }

    private func quoted(_ text: String) -> String { CodeExport.quoted(text) }
    private func shell(_ text: String) -> String { CodeExport.shell(text) }

    /// Returns the programs.
    /// - Parameters:
    ///   - operation: such as `AssumeRoleWithSAML`.
    ///   - parameters: the parameters of the operation in AWS's spelling.
    func assuming(_ operation: String, _ parameters: [(name: String, value: String)]) -> [WalkProgram] {
        [
            WalkProgram(name: "Python (boto3)", code: python(operation, parameters)),
            WalkProgram(name: "AWS CLI", code: commandLine(operation, parameters)),
            WalkProgram(name: "JavaScript (AWS SDK v3)", code: javaScript(operation, parameters)),
            WalkProgram(name: "JavaScript (Node.js without packages)", code: node(operation, parameters)),
            WalkProgram(name: "curl", code: curl(operation, parameters)),
        ]
    }

    private func python(_ operation: String, _ parameters: [(name: String, value: String)]) -> String {
        let arguments = parameters.map { "    \($0.name)=\(quoted($0.value))" }.joined(separator: ",\n")
        return """
            import boto3

            url = \(quoted(url))
            sts = boto3.client("sts", endpoint_url=url, region_name="us-east-1")
            keys = sts.\(Self.words(operation, "_"))(
            \(arguments))["Credentials"]
            s3 = boto3.client(
                "s3", endpoint_url=url, region_name="us-east-1", aws_access_key_id=keys["AccessKeyId"],
                aws_secret_access_key=keys["SecretAccessKey"], aws_session_token=keys["SessionToken"])
            print(s3.get_object(Bucket=\(quoted(bucket)), Key=\(quoted(key)))["Body"].read().decode())
            """
    }

    private func commandLine(_ operation: String, _ parameters: [(name: String, value: String)]) -> String {
        let options = parameters.map { "  --\(Self.words($0.name, "-")) \(shell($0.value))" }.joined(separator: " \\\n")
        return """
            export AWS_ENDPOINT_URL=\(shell(url)) AWS_REGION=us-east-1 AWS_DEFAULT_REGION=us-east-1
            answer=$(aws sts \(Self.words(operation, "-")) --output text \\
              --query 'Credentials.[AccessKeyId,SecretAccessKey,SessionToken]' \\
            \(options))
            export AWS_ACCESS_KEY_ID=$(echo "$answer" | cut -f1)
            export AWS_SECRET_ACCESS_KEY=$(echo "$answer" | cut -f2)
            export AWS_SESSION_TOKEN=$(echo "$answer" | cut -f3)
            aws s3 cp \(shell("s3://\(bucket)/\(key)")) -
            """
    }

    private func javaScript(_ operation: String, _ parameters: [(name: String, value: String)]) -> String {
        let members = parameters.map { "  \($0.name): \(quoted($0.value))," }.joined(separator: "\n")
        return """
            import { S3Client, GetObjectCommand } from "@aws-sdk/client-s3"
            import { STSClient, \(operation)Command } from "@aws-sdk/client-sts"

            const options = { endpoint: \(quoted(url)), region: "us-east-1" }
            const { Credentials: keys } = await new STSClient(options).send(new \(operation)Command({
            \(members)
            }))
            const s3 = new S3Client({ ...options, forcePathStyle: true, credentials: {
              accessKeyId: keys.AccessKeyId, secretAccessKey: keys.SecretAccessKey, sessionToken: keys.SessionToken } })
            const { Body } = await s3.send(new GetObjectCommand({ Bucket: \(quoted(bucket)), Key: \(quoted(key)) }))
            console.log(await Body.transformToString())
            """
    }

    private func node(_ operation: String, _ parameters: [(name: String, value: String)]) -> String {
        let members = parameters.map { "  \($0.name): \(quoted($0.value))," }.joined(separator: "\n")
        return """
            import { createHash, createHmac } from "node:crypto"

            const url = \(quoted(url)), path = \(quoted("/\(bucket)/\(percentEncoded(key, keepingSlash: true))"))
            const body = new URLSearchParams({
              Action: \(quoted(operation)), Version: "2011-06-15",
            \(members)
            })
            const answer = await (await fetch(url + "/", { method: "POST", body })).text()
            const value = name => answer.match(new RegExp(`<${name}>([^<]*)</${name}>`))[1]

            // Signature Version 4
            const hash = text => createHash("sha256").update(text).digest("hex")
            const hmac = (key, text) => createHmac("sha256", key).update(text).digest()
            const date = new Date().toISOString().replace(/[:-]|\\.\\d+/g, "")
            const scope = [date.slice(0, 8), "us-east-1", "s3", "aws4_request"]
            const signed = {
              host: new URL(url).host, "x-amz-content-sha256": hash(""), "x-amz-date": date,
              "x-amz-security-token": value("SessionToken") }
            const names = Object.keys(signed).join(";")
            const lines = Object.entries(signed).map(([name, text]) => `${name}:${text}`)
            const canonical = ["GET", path, "", ...lines, "", names, hash("")].join("\\n")
            const key = scope.reduce((key, text) => hmac(key, text), "AWS4" + value("SecretAccessKey"))
            const text = ["AWS4-HMAC-SHA256", date, scope.join("/"), hash(canonical)].join("\\n")
            const { host, ...headers } = signed
            headers.authorization = `AWS4-HMAC-SHA256 Credential=${value("AccessKeyId")}/${scope.join("/")}, ` +
              `SignedHeaders=${names}, Signature=${hmac(key, text).toString("hex")}`
            console.log(await (await fetch(url + path, { headers })).text())
            """
    }

    private func curl(_ operation: String, _ parameters: [(name: String, value: String)]) -> String {
        let fields = parameters.map { "  --data-urlencode \(shell("\($0.name)=\($0.value)"))" }.joined(separator: " \\\n")
        let target = "/\(bucket)/\(percentEncoded(key, keepingSlash: true))"
        return """
            answer=$(curl --silent \(shell(url + "/")) --data-urlencode Action=\(operation) --data-urlencode Version=2011-06-15 \\
            \(fields))
            value() { echo "$answer" | tr -d '\\n' | sed "s|.*<$1>\\\\([^<]*\\\\)</$1>.*|\\\\1|"; }
            curl --silent --aws-sigv4 aws:amz:us-east-1:s3 --user "$(value AccessKeyId):$(value SecretAccessKey)" \\
              --header "x-amz-security-token: $(value SessionToken)" --header 'x-amz-content-sha256: UNSIGNED-PAYLOAD' \\
              \(shell(url + target))
            """
    }

    /// Returns a name such as `AssumeRoleWithSAML` as `assume_role_with_saml`.
    private static func words(_ name: String, _ separator: String) -> String {
        var result = ""
        var previous: Character?
        let characters = Array(name)
        for (index, character) in characters.enumerated() {
            let next = index + 1 < characters.count ? characters[index + 1] : nil
            let startsWord = character.isUppercase && previous.map { $0.isLowercase || next?.isLowercase == true } == true
            result += (startsWord ? separator : "") + character.lowercased()
            previous = character
        }
        return result
    }
}
