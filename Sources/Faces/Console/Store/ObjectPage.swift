import Calls
import ControlDocuments
import WireFormats

/// One object: its headers, metadata, tags and versions, who may read it, and what can be done with it.
struct ObjectPage {
    /// The most bytes of a text that the page shows.
    private static let longestText: Int64 = 32_768
    /// The most identities that are checked.
    private static let mostReaders = 60

    let scene: StoreScene

    private var location: StoreLocation { scene.location }
    private var key: String { location.key ?? "" }

    func response() async throws -> Response {
        let head = try await scene.send("Look at the object", "HEAD", location.target(location.versionQuery))
        var exchanges = [head]
        var content: HTML = ""
        if head.isSuccess {
            let tags = try await scene.send("Read the tags", "GET", location.target(subresource: "tagging", location.versionQuery))
            exchanges.append(tags)
            content = """
                \(facts(head))
                <div class="row actions">\(links(head))\(deletion(head))</div>
                \(try await text(head))
                \(tagging(tags))
                \(presigning)
                """
        } else {
            // The response to HEAD has no body, which would name the error.
            let answer = try await scene.send("Read the object", "GET", location.target(location.versionQuery))
            content = answer.isSuccess ? "" : scene.refused(answer)
        }
        let versions = try await scene.send(
            "List the versions", "GET",
            StoreLocation(bucket: location.bucket).target(
                subresource: "versions", ["encoding-type": "url", "max-keys": "100", "prefix": key]))
        return scene.page(
            "\(key) in the store",
            """
            \(scene.trail)
            <h1>\(StoreScene.name(String(key.dropFirst(location.parent.count))))</h1>
            \(scene.identityForm)
            \(scene.resultBox)
            \(content)
            \(self.versions(versions))
            \(try await readers)
            \(addresses)
            \(scene.call(behind: exchanges))
            """, isMissing: head.status == 404 && !scene.isAnonymous && versions.isSuccess)
    }

    private func facts(_ head: Exchange) -> HTML {
        var rows: [(String, String)] = [
            ("Size", StoreScene.size(head.header("content-length") ?? "")), ("Type", head.header("content-type") ?? ""),
            ("ETag", head.header("etag") ?? ""), ("Changed", head.header("last-modified") ?? ""),
            ("Version", head.header(scene.cloud.header + "version-id") ?? "no versions are kept"),
        ]
        let lock = ListingPage.lock(head, scene.cloud)
        rows.append(("Lock", lock.isEmpty ? "none" : lock))
        for (name, title) in [
            ("storage-class", "Storage class"), ("server-side-encryption", "Encryption"), ("restore", "Restore"),
            ("object-type", "Kind"),
        ] {
            if let value = head.header(scene.cloud.header + name) { rows.append((title, value)) }
        }
        for (name, title) in [
            ("content-encoding", "Encoding"), ("content-disposition", "Disposition"), ("cache-control", "Caching"),
            ("content-language", "Language"),
        ] {
            if let value = head.header(name) { rows.append((title, value)) }
        }
        let lines = rows.map { name, value -> HTML in "<div><dt>\(name)</dt><dd>\(Parts.value(value, limit: 1_000))</dd></div>\n" }
        let prefix = scene.cloud.header + "meta-"
        let metadata = head.headers.filter { $0.name.lowercased().hasPrefix(prefix) }.map { name, value -> HTML in
            "<div><dt>\(Parts.value(String(name.dropFirst(prefix.count))))</dt><dd>\(Parts.value(value, limit: 2_000))</dd></div>\n"
        }
        return """
            <dl class="facts">
            \(lines)</dl>
            \(metadata.isEmpty ? "<p class=\"soft\">The object has no metadata of its own.</p>" as HTML : "<h2>Metadata</h2><dl class=\"facts\">\n\(metadata)</dl>")
            """
    }

    private func links(_ head: Exchange) -> HTML {
        let isShown = ContentKind(head.header("content-type") ?? "").isShown
        let preview: HTML = isShown ? "<a class=\"button\" href=\"\(location.content(isDownload: false))\">Open the content</a>\n" : ""
        let warning: HTML =
            isShown
            ? "<span class=\"soft\">Anyone could have stored this content. It opens as an image or as plain text, and runs nothing.</span>"
            : ""
        return "<a class=\"button primary\" href=\"\(location.content(isDownload: true))\">Download</a>\n\(preview)\(warning)"
    }

    private func deletion(_ head: Exchange) -> HTML {
        location.version == nil
            ? "\(scene.form("delete", confirm: "Delete this object?"))<button class=\"danger\">Delete</button></form>"
            : "\(scene.form("delete", confirm: "Delete this version for good?"))<button class=\"danger\">Delete this version</button></form>"
    }

    /// The content of a short text.
    private func text(_ head: Exchange) async throws -> HTML {
        guard ContentKind(head.header("content-type") ?? "") == .text, head.header("content-encoding") == nil,
            let size = head.header("content-length").flatMap({ Int64($0) }), 1...Self.longestText ~= size
        else { return "" }
        let answer = try await scene.send("Read the object", "GET", location.target(location.versionQuery))
        guard answer.isSuccess, !answer.text.isEmpty else { return "" }
        return """
            <section aria-labelledby="content-title"><h2 id="content-title">Content</h2>
            \(Parts.code(answer.text, id: "content", label: "the content"))</section>

            """
    }

    private func tagging(_ answer: Exchange) -> HTML {
        guard answer.isSuccess else {
            return "<section aria-labelledby=\"tags\"><h2 id=\"tags\">Tags</h2>\(scene.refused(answer, id: "refused-tags"))</section>\n"
        }
        let tags = answer.xml?.child("TagSet")?.children(named: "Tag") ?? []
        let known = tags.map { ($0.child("Key")?.text ?? "", $0.child("Value")?.text ?? "") }
        let rows = (known + [("", ""), ("", "")]).prefix(10).enumerated().map { index, tag -> HTML in
            """
            <div><label for="tag-\(String(index))">Key \(String(index + 1))</label><input id="tag-\(String(index))" name="tag" value="\(tag.0)"></div>
            <div><label for="value-\(String(index))">Value \(String(index + 1))</label><input id="value-\(String(index))" name="value" value="\(tag.1)"></div>

            """
        }
        let list: HTML =
            known.isEmpty
            ? "<p class=\"soft\">The object has no tags.</p>"
            : "<p>\(known.map { tag -> HTML in "<span class=\"tag\">\(Parts.value(tag.0)): \(Parts.value(tag.1))</span> " })</p>"
        return """
            <section aria-labelledby="tags"><h2 id="tags">Tags</h2>
            \(list)
            <details class="fold"><summary>Change the tags</summary>
            \(scene.form("tags"))<div class="fields">
            \(rows)</div><p class="soft">A tag without a key is removed.</p><p><button>Save the tags</button></p></form></details></section>

            """
    }

    private var presigning: HTML {
        let signatures = scene.cloud.signatures.map { id, title -> HTML in "<option value=\"\(id)\">\(title)</option>" }
        guard !scene.isAnonymous else { return "" }
        return """
            <section aria-labelledby="presign"><h2 id="presign">Presigned URL</h2>
            \(scene.form("presign"))<div class="fields">
            <div><label for="method">For</label><select id="method" name="method"><option value="GET">download (GET)</option><option value="PUT">upload (PUT)</option></select></div>
            <div><label for="lifetime">Valid for</label><select id="lifetime" name="lifetime"><option value="900">15 minutes</option><option value="60">1 minute</option>\
            <option value="3600">1 hour</option><option value="86400">1 day</option><option value="604800">7 days</option></select></div>
            <div><label for="signature">Signature</label><select id="signature" name="signature">\(signatures)</select></div></div>
            <p><button>Presign</button></p></form></section>

            """
    }

    private func versions(_ answer: Exchange) -> HTML {
        guard answer.isSuccess else { return "" }
        let elements = (answer.xml?.children ?? []).filter { element in
            ["Version", "DeleteMarker"].contains(element.name) && ListingPage.decoded(element.child("Key")?.text ?? "") == key
        }
        guard elements.count > 1 || elements.first?.child("VersionId")?.text ?? "null" != "null" else { return "" }
        let rows = elements.map { element -> HTML in
            let id = element.child("VersionId")?.text ?? ""
            let isCurrent = element.child("IsLatest")?.text == "true"
            let isMarker = element.name == "DeleteMarker"
            let state = [isCurrent ? "current" : "", isMarker ? "delete marker" : "", id == location.version ? "shown here" : ""]
                .filter { !$0.isEmpty }.joined(separator: ", ")
            let name: HTML =
                isMarker
                ? "<code>\(Parts.value(id))</code>" : "<a href=\"\(location.object(key, version: id).path)\">\(Parts.value(id))</a>"
            return """
                <tr><th scope="row">\(name)</th><td data-label="State">\(state)</td><td data-label="Size" class="number">\(StoreScene.size(element.child("Size")?.text ?? ""))</td>\
                <td data-label="Created">\(StoreScene.time(element.child("LastModified")?.text ?? ""))</td><td data-label="Actions" class="files">\(act(id, isCurrent: isCurrent, isMarker: isMarker))</td></tr>

                """
        }
        return """
            <section aria-labelledby="versions"><h2 id="versions">Versions</h2>
            <div class="scroll" tabindex="0" role="region" aria-labelledby="versions"><table class="stack"><thead><tr><th scope="col">Version</th><th scope="col">State</th>\
            <th scope="col">Size</th><th scope="col">Created</th><th scope="col">Actions</th></tr></thead>
            <tbody>
            \(rows)</tbody></table></div></section>

            """
    }

    private func act(_ version: String, isCurrent: Bool, isMarker: Bool) -> HTML {
        let restore: HTML =
            isCurrent || isMarker
            ? ""
            : "\(scene.form("restore", ["version": version]))<button class=\"small\" aria-label=\"Restore version \(version.visible)\">Restore</button></form>"
        let label = isMarker ? "Remove the marker" : "Delete"
        return """
            \(restore)\(scene.form("delete", ["version": version], confirm: isMarker ? "Remove the delete marker?" : "Delete this version for good?"))\
            <button class="small" aria-label="\(label): version \(version.visible)">\(label)</button></form>
            """
    }

    /// Who may read the object, on demand: each identity is a call of the control API.
    private var readers: HTML {
        get async throws {
            let title: HTML = "<h2 id=\"readers\">Who may read it</h2>"
            guard location["who"] != nil else {
                return
                    "<section aria-labelledby=\"readers\">\(title)<p><a href=\"\(location.with("who", "1").path)#readers\">Check each identity</a></p></section>\n"
            }
            let cloud = scene.cloud
            let identities = scene.principals.filter { $0.vendor == cloud.vendor }
            var rows: [HTML] = []
            for (name, id) in ([("anonymous", "anonymous")] + identities.map { ($0.name, $0.id) }).prefix(Self.mostReaders) {
                let answer = await scene.visit.client.post(
                    "/explain",
                    [
                        "as": .string(id), "action": .string("\(cloud.rawValue):GetObject"),
                        "resource": .string(cloud.arn(location.bucket ?? "", key)),
                    ])
                let decision = answer.document(DecisionMembers.self)
                let isAllowed = decision.decision == "allowed"
                let outcome =
                    isAllowed ? Outcome(kind: "good", sign: "✓", word: "allowed") : Outcome(kind: "bad", sign: "✗", word: "denied")
                let reason = answer.refusal?.message ?? decision.reason ?? ""
                let kind = identities.first { $0.id == id }?.kind ?? ""
                rows.append(
                    "<tr><th scope=\"row\">\(Parts.value(name))</th><td data-label=\"Kind\">\(kind)</td><td data-label=\"Reading\">\(Parts.outcome(outcome))</td><td data-label=\"Reason\">\(Parts.value(isAllowed ? "" : reason))</td></tr>\n"
                )
            }
            let rest = identities.count + 1 - rows.count
            return """
                <section aria-labelledby="readers">\(title)
                <div class="scroll" tabindex="0" role="region" aria-labelledby="readers"><table class="stack"><thead><tr><th scope="col">Identity</th><th scope="col">Kind</th>\
                <th scope="col">Reading</th><th scope="col">Reason</th></tr></thead><tbody>
                \(rows)</tbody></table></div>
                \(rest > 0 ? "<p class=\"soft\">\(String(rest)) more identities were not checked.</p>" as HTML : "")
                <p class="soft">A role is checked without a session. Policies with variables of a login allow only sessions of that login.</p></section>

                """
        }
    }

    private var addresses: HTML {
        """
        <section aria-labelledby="addresses"><h2 id="addresses">Addresses</h2>
        \(Parts.code(scene.cloud.arn(location.bucket ?? "", key), id: "arn", label: "the ARN"))
        \(Parts.code(scene.cloud.uri(location.bucket ?? "", key), id: "uri", label: "the URI"))
        \(Parts.code(scene.visit.place.services + location.target(), id: "url", label: "the URL"))</section>

        """
    }
}
