import Calls
import ControlDocuments
import WireFormats

/// The folders and objects of a bucket below a prefix, 100 at a time.
struct ListingPage {
    private static let limit = 100

    /// An object, a version or a delete marker in a listing.
    struct Item {
        var key: String
        var size = ""
        var changed = ""
        var tag = ""
        var version: String?
        var isCurrent = true
        var isMarker = false
        /// What `HEAD` returned, if it was sent.
        var head: Exchange?
    }

    let scene: StoreScene

    private var location: StoreLocation { scene.location }
    private var view: String { location["view"] ?? "" }

    func response() async throws -> Response {
        let isVersions = view == "versions"
        var query: FormFields = ["encoding-type": "url", "delimiter": "/", "max-keys": String(view == "details" ? 25 : Self.limit)]
        if !location.prefix.isEmpty { query.fields.append(.init(name: "prefix", value: location.prefix)) }
        let answer: Exchange
        if isVersions {
            // The token has the two markers of the next page.
            query.fields += FormFields(parsing: location["token"] ?? "")?.fields ?? []
            answer = try await scene.send(
                "List the versions", "GET", location.target(subresource: "versions", query))
        } else {
            query.fields.append(.init(name: "list-type", value: "2"))
            if let token = location["token"] { query.fields.append(.init(name: "continuation-token", value: token)) }
            answer = try await scene.send("List \(location.prefix.isEmpty ? "the bucket" : location.prefix)", "GET", location.target(query))
        }
        let document = answer.xml
        let folders = document?.children(named: "CommonPrefixes").compactMap { $0.child("Prefix").map { Self.decoded($0.text) } } ?? []
        var items = Self.items(document)
        if view == "details" {
            for index in items.indices {
                items[index].head = try await scene.send("Look at \(items[index].key)", "HEAD", location.object(items[index].key).target())
            }
        }
        let title = location.prefix.isEmpty ? location.bucket ?? "" : location.prefix
        return scene.page(
            "\(location.bucket ?? "") in the store",
            """
            \(scene.trail)
            <h1>\(Parts.value(title, limit: 200))</h1>
            \(facts)
            \(scene.identityForm)
            \(scene.resultBox)
            \(answer.isSuccess ? listing(folders, items, next: Self.next(document, isVersions)) : scene.refused(answer))
            \(upload)
            \(scene.call(behind: [answer]))
            """, isMissing: answer.code == "NoSuchBucket")
    }

    /// Returns a key of a listing with `encoding-type=url`. S3 writes a space as a plus sign; OSS never writes a plus sign.
    static func decoded(_ text: String) -> String { percentDecoded(text.replacing("+", with: " ")) ?? text }

    private static func items(_ document: XMLElement?) -> [Item] {
        let elements = (document?.children ?? []).filter { ["Contents", "Version", "DeleteMarker"].contains($0.name) }
        return elements.compactMap { element in
            guard let key = element.child("Key")?.text else { return nil }
            return Item(
                key: decoded(key), size: element.child("Size")?.text ?? "", changed: element.child("LastModified")?.text ?? "",
                tag: element.child("ETag")?.text ?? "", version: element.child("VersionId")?.text,
                isCurrent: element.child("IsLatest")?.text != "false", isMarker: element.name == "DeleteMarker")
        }
    }

    /// The token of the next page; `nil` for the last one.
    private static func next(_ document: XMLElement?, _ isVersions: Bool) -> String? {
        guard document?.child("IsTruncated")?.text == "true" else { return nil }
        guard isVersions else { return document?.child("NextContinuationToken")?.text }
        var markers: FormFields = ["key-marker": decoded(document?.child("NextKeyMarker")?.text ?? "")]
        if let version = document?.child("NextVersionIdMarker")?.text, !version.isEmpty {
            markers.fields.append(.init(name: "version-id-marker", value: version))
        }
        return markers.queryEncoded
    }

    private var facts: HTML {
        let bucket = scene.bucket
        let views: [(String?, String)] = [
            (nil, "Objects"), ("details", "With type and lock"), ("versions", "All versions"), ("settings", "Bucket settings"),
        ]
        let links = views.map { name, title -> HTML in
            let current: HTML = name ?? "" == view ? " aria-current=\"page\"" : ""
            return "<li><a href=\"\(location.with("token", nil).with("view", name).path)\"\(current)>\(title)</a></li>"
        }
        let owner: HTML =
            bucket.map { "\($0.cloud.title), account <code>\(Parts.value($0.account))</code>" } ?? "not a bucket of this sandbox"
        return "<p class=\"soft\">\(owner)</p>\n<nav class=\"views\" aria-label=\"Views of the bucket\"><ul>\(links)</ul></nav>\n"
    }

    private func listing(_ folders: [String], _ items: [Item], next: String?) -> HTML {
        guard !folders.isEmpty || !items.isEmpty else {
            return location.prefix.isEmpty
                ? "<p class=\"empty\">The bucket is empty. Upload an object below.</p>\n"
                : "<p class=\"empty\">There is nothing below this prefix. Upload an object below.</p>\n"
        }
        let isVersions = view == "versions"
        let columns =
            ["Name", "Size"] + (view == "details" ? ["Type", "Version", "Lock"] : isVersions ? ["Version"] : []) + ["ETag", "Changed"]
        let heads = columns.map { name -> HTML in "<th scope=\"col\">\(name)</th>" }
        let folderRows = folders.map { folder -> HTML in
            let name = String(folder.dropFirst(location.prefix.count).dropLast())
            return """
                <tr><th scope="row"><a href="\(location.folder(folder).with("view", location["view"]).path)">\(StoreScene.name(name))/</a></th>\
                <td colspan="\(String(columns.count - 1))" class="soft">folder</td></tr>

                """
        }
        let more: HTML = next.map { "<p><a class=\"button\" href=\"\(location.with("token", $0).path)\">Next page</a></p>\n" } ?? ""
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="Objects"><table class="stack">
            <thead><tr>\(heads)</tr></thead>
            <tbody>
            \(folderRows)\(items.map(row))</tbody></table></div>
            \(more)
            """
    }

    private func row(_ item: Item) -> HTML {
        let name =
            location.prefix.isEmpty || !item.key.hasPrefix(location.prefix) ? item.key : String(item.key.dropFirst(location.prefix.count))
        let version = item.version.map { "\($0)\(item.isCurrent ? ", current" : "")" } ?? ""
        let further: HTML =
            switch view {
            case "details":
                """
                <td data-label="Type">\(Parts.value(item.head?.header("content-type") ?? "not readable"))</td>\
                <td data-label="Version">\(Parts.value(item.head?.header(scene.cloud.header + "version-id") ?? ""))</td>\
                <td data-label="Lock">\(Parts.value(Self.lock(item.head, scene.cloud)))</td>
                """
            case "versions": "<td data-label=\"Version\">\(Parts.value(version))</td>"
            default: ""
            }
        let target = view == "versions" ? location.object(item.key, version: item.version) : location.object(item.key)
        return """
            <tr><th scope="row"><a href="\(target.path)">\(StoreScene.name(name))</a>\(item.isMarker ? " (delete marker)" : "")</th>\
            <td class="number" data-label="Size">\(item.isMarker ? "" : StoreScene.size(item.size))</td>\(further)<td data-label="ETag"><code>\(Parts.value(item.tag))</code></td>\
            <td data-label="Changed">\(StoreScene.time(item.changed))</td></tr>

            """
    }

    /// The retention and the legal hold of an object.
    static func lock(_ head: Exchange?, _ cloud: StoreCloud) -> String {
        let mode = head?.header(cloud.header + "object-lock-mode") ?? head?.header("x-oss-object-worm-mode")
        let until = head?.header(cloud.header + "object-lock-retain-until-date") ?? head?.header("x-oss-object-worm-retain-until-date")
        let isHeld = head?.header(cloud.header + "object-lock-legal-hold") == "ON"
        return [mode.map { "\($0.lowercased()) until \(StoreScene.time(until ?? ""))" }, isHeld ? "legal hold" : nil].compactMap(\.self)
            .joined(separator: ", ")
    }

    private var upload: HTML {
        """
        <section class="card" aria-labelledby="upload-title"><h2 id="upload-title">Upload</h2>
        <form method="post" action="\(Visit.path("/store/\(percentEncoded(location.bucket ?? ""))/upload"))" enctype="multipart/form-data">\(scene.hidden())
        <div class="fields"><div><label for="upload-name">Key\(location.prefix.isEmpty ? "" : ", after <code>\(StoreScene.name(location.prefix))</code>" as HTML)</label>\
        <input id="upload-name" name="name" placeholder="the name of the file" autocapitalize="none" autocomplete="off"></div>
        <div><label for="upload-type">Content type</label><input id="upload-type" name="type" placeholder="the type of the file"></div>
        <div class="full"><label for="upload-file">File</label><input id="upload-file" name="file" type="file"></div></div>
        <p><button class="primary">Upload</button></p></form></section>

        """
    }
}

extension Exchange {
    /// Returns a header of the response.
    /// - Parameter name: in lower case.
    func header(_ name: String) -> String? {
        sent.response.message.headers.first { $0.name.lowercased() == name }?.value
    }

    /// The headers of the response.
    var headers: [(name: String, value: String)] {
        sent.response.message.headers.map { ($0.name, $0.value) }
    }
}
