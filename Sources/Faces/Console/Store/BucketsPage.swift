import Calls
import ControlDocuments
import WireFormats

/// The buckets of all accounts, or those that an identity may list.
struct BucketsPage {
    let scene: StoreScene

    func response() async throws -> Response {
        var listing: Exchange?
        var content: HTML = ""
        var buckets = scene.buckets
        if !scene.isRoot {
            let answer = try await scene.send("List the buckets", "GET", "/")
            listing = answer
            let names = answer.xml?.child("Buckets")?.children(named: "Bucket").compactMap { $0.child("Name")?.text } ?? []
            buckets = names.map { name in
                scene.buckets.first { $0.name == name }
                    ?? Document { [$0.name(name), $0.vendor(scene.cloud.vendor), $0.versioning("never")] }
            }
            if !answer.isSuccess { content = scene.refused(answer) }
        }
        let call: HTML =
            listing.map { scene.call(behind: [$0]) } ?? """
                \(Parts.calls("curl '\(scene.visit.place.services)/_virga/buckets'"))
                """
        return scene.page(
            "Store",
            """
            <h1>Store</h1>
            <p class="soft">Buckets and objects, as the identity that you choose. Its policies decide, so refusals are real.</p>
            \(scene.identityForm)
            \(scene.resultBox)
            \(content)
            \(listing?.isSuccess ?? true ? table(buckets) : open)
            \(create)
            \(call)
            """)
    }

    private func table(_ buckets: [StoredBucket]) -> HTML {
        guard !buckets.isEmpty else {
            return "<p class=\"empty\">There is no bucket yet. Create one below.</p>\n"
        }
        let rows = buckets.map { bucket -> HTML in
            """
            <tr><th scope="row"><a href="\(StoreLocation(bucket: bucket.name, identity: scene.location.identity).path)">\(Parts.value(bucket.name))</a></th>\
            <td data-label="Cloud">\(bucket.cloud.title)</td><td data-label="Owner"><code>\(Parts.value(bucket.account))</code></td><td data-label="Region">\(Parts.value(bucket.region))</td>\
            <td data-label="Versioning">\(Self.versioning(bucket))</td><td data-label="Created">\(StoreScene.time(bucket.created))</td></tr>

            """
        }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="Buckets"><table class="stack">
            <thead><tr><th scope="col">Bucket</th><th scope="col">Cloud</th><th scope="col">Owner</th><th scope="col">Region</th>\
            <th scope="col">Versioning</th><th scope="col">Created</th></tr></thead>
            <tbody>
            \(rows)</tbody></table></div>

            """
    }

    private static func versioning(_ bucket: StoredBucket) -> String {
        let state = bucket.versioning == "never" ? "off" : bucket.versioning
        return bucket.objectLock ? "\(state), with object lock" : state
    }

    /// A form that opens a bucket by its name, for identities that may not list them.
    private var open: HTML {
        """
        <form method="get" action="\(Visit.path("/store"))" class="row"><input type="hidden" name="as" value="\(scene.location.identity)">
        <label for="open">Open a bucket</label><input id="open" name="bucket" required><button>Open</button></form>

        """
    }

    private var create: HTML {
        let clouds = scene.isRoot ? StoreCloud.allCases.filter { scene.root(of: $0) != nil } : [scene.cloud]
        let options = clouds.map { cloud -> HTML in "<option value=\"\(cloud.rawValue)\">\(cloud.title)</option>" }
        return """
            <details class="card fold"\(scene.buckets.isEmpty ? " open" : "")><summary>Create a bucket</summary>
            <form method="post" action="\(Visit.path("/store/create"))">\(scene.hidden())
            <div class="fields"><div><label for="name">Name</label><input id="name" name="name" required autocapitalize="none" autocomplete="off"></div>
            <div><label for="cloud">Cloud</label><select id="cloud" name="cloud">\(options)</select></div></div>
            <label class="choice"><input type="checkbox" name="versioning" value="on"> Keep versions of objects</label>
            <label class="choice"><input type="checkbox" name="lock" value="on"> Object lock (S3 only; keeps versions too)</label>
            <p><button class="primary">Create</button></p></form></details>

            """
    }
}
