import Calls
import WireFormats

/// The settings of a bucket: versioning, policy, CORS and lifecycle rules, as texts that can be changed.
struct BucketSettingsPage {
    let scene: StoreScene

    private var location: StoreLocation { scene.location }

    func response() async throws -> Response {
        var exchanges: [Exchange] = []
        var editors: [HTML] = []
        for document in BucketDocument.allCases {
            let answer = try await scene.send("Read the \(document.title)", "GET", location.target(subresource: document.rawValue))
            exchanges.append(answer)
            editors.append(editor(document, answer))
        }
        let versioning = try await scene.send("Read versioning", "GET", location.target(subresource: "versioning"))
        exchanges.append(versioning)
        return scene.page(
            "Settings of \(location.bucket ?? "")",
            """
            \(scene.trail)
            <h1>Settings of \(Parts.value(location.bucket ?? "", limit: 200))</h1>
            <p><a href="\(location.folder("").path)">← Objects</a></p>
            \(scene.identityForm)
            \(scene.resultBox)
            \(self.versioning(versioning))
            \(editors)
            \(addresses)
            \(removal)
            \(scene.call(behind: exchanges))
            """)
    }

    private func editor(_ document: BucketDocument, _ answer: Exchange) -> HTML {
        let isAbsent = answer.status == 404 && answer.code != "NoSuchBucket"
        guard answer.isSuccess || isAbsent else {
            return
                "<section class=\"card\"><h2>\(document.heading)</h2>\(scene.refused(answer, id: "refused-\(document.rawValue)"))</section>\n"
        }
        let id = "document-\(document.rawValue)"
        // The text that was refused stays in the editor.
        let refused = scene.result?.value.order.flatMap { order in
            order.target == location.target(subresource: document.rawValue) && scene.result?.value.exchange?.isSuccess == false
                ? order.body : nil
        }
        let text = refused ?? (isAbsent ? document.example(scene.cloud, location.bucket ?? "") : Layout.indented(answer.text))
        let delete: HTML =
            isAbsent
            ? ""
            : """
            \(scene.form("document", ["kind": document.rawValue, "remove": "yes"], confirm: "Delete the \(document.title)?"))\
            <button class="danger">Delete the \(document.title)</button></form>
            """
        return """
            <section class="card" aria-labelledby="\(id)-title"><h2 id="\(id)-title">\(document.heading)</h2>
            \(isAbsent ? "<p class=\"soft\">There is none yet. This is an example.</p>" as HTML : "")
            \(scene.form("document", ["kind": document.rawValue]))
            <label for="\(id)" class="sr">\(document.heading)</label><textarea id="\(id)" name="text" rows="12" spellcheck="false">
            \(text)</textarea>
            <p><button class="primary">Save the \(document.title)</button></p></form>
            \(delete)</section>

            """
    }

    private func versioning(_ answer: Exchange) -> HTML {
        guard answer.isSuccess else {
            return "<section class=\"card\"><h2>Versioning</h2>\(scene.refused(answer, id: "refused-versioning"))</section>\n"
        }
        let state = answer.xml?.child("Status")?.text ?? "off"
        let isOn = state == "Enabled"
        return """
            <section class="card" aria-labelledby="versioning"><h2 id="versioning">Versioning</h2>
            <p>Versioning is <strong>\(isOn ? "on" : state == "Suspended" ? "suspended" : "off")</strong>.</p>
            \(scene.form("versioning", ["status": isOn ? "Suspended" : "Enabled"]))<button>\(isOn ? "Suspend versioning" : "Turn on versioning")</button></form></section>

            """
    }

    private var addresses: HTML {
        """
        <section class="card" aria-labelledby="address"><h2 id="address">ARN</h2>
        \(Parts.code(scene.cloud.arn(location.bucket ?? "", nil), id: "bucket-arn", label: "the ARN of the bucket"))</section>

        """
    }

    private var removal: HTML {
        """
        <section class="card" aria-labelledby="removal"><h2 id="removal">Delete the bucket</h2>
        <p>The bucket must be empty, old versions included.</p>
        \(scene.form("delete-bucket", confirm: "Delete the bucket?"))<button class="danger">Delete the bucket</button></form></section>

        """
    }
}

/// The documents of a bucket that the console edits. The raw value is the subresource.
enum BucketDocument: String, CaseIterable {
    case policy, cors, lifecycle

    var heading: String {
        switch self {
        case .policy: "Bucket policy"
        case .cors: "CORS rules"
        case .lifecycle: "Lifecycle rules"
        }
    }

    var title: String {
        switch self {
        case .policy: "bucket policy"
        case .cors: "CORS rules"
        case .lifecycle: "lifecycle rules"
        }
    }

    /// Returns a document to begin with.
    func example(_ cloud: StoreCloud, _ bucket: String) -> String {
        switch (self, cloud) {
        case (.policy, .s3):
            """
            {
              "Version": "2012-10-17",
              "Statement": [
                {
                  "Sid": "PublicRead",
                  "Effect": "Allow",
                  "Principal": "*",
                  "Action": "s3:GetObject",
                  "Resource": "arn:aws:s3:::\(bucket)/public/*"
                }
              ]
            }
            """
        case (.policy, .oss):
            """
            {
              "Version": "1",
              "Statement": [
                {
                  "Effect": "Allow",
                  "Principal": ["*"],
                  "Action": ["oss:GetObject"],
                  "Resource": ["acs:oss:*:*:\(bucket)/public/*"]
                }
              ]
            }
            """
        case (.cors, _):
            """
            <CORSConfiguration>
              <CORSRule>
                <AllowedOrigin>http://localhost:3000</AllowedOrigin>
                <AllowedMethod>GET</AllowedMethod>
                <AllowedMethod>PUT</AllowedMethod>
                <AllowedHeader>*</AllowedHeader>
              </CORSRule>
            </CORSConfiguration>
            """
        case (.lifecycle, .s3):
            """
            <LifecycleConfiguration>
              <Rule>
                <ID>expire-temporary-files</ID>
                <Filter><Prefix>tmp/</Prefix></Filter>
                <Status>Enabled</Status>
                <Expiration><Days>7</Days></Expiration>
              </Rule>
            </LifecycleConfiguration>
            """
        case (.lifecycle, .oss):
            """
            <LifecycleConfiguration>
              <Rule>
                <ID>expire-temporary-files</ID>
                <Prefix>tmp/</Prefix>
                <Status>Enabled</Status>
                <Expiration><Days>7</Days></Expiration>
              </Rule>
            </LifecycleConfiguration>
            """
        }
    }
}
