import Calls
import WireFormats

/// *Collections*: each is a bucket, with the roles that may read and write.
struct CollectionsPage: MobilePage {
    let site: MobileSite
    let title = "Collections"
    let section = MobileSection.collections

    func content(_ draft: MobileDraft) async throws -> HTML {
        let rows = await site.list("collections").compactMap(\.objectValue).map { collection -> [HTML] in
            let bucket = collection.string("bucket")
            let permissions = (collection["permissions"]?.objectValue?.members ?? []).map { permission -> HTML in
                let roles = (permission.value.arrayValue ?? []).compactMap(\.stringValue).map { role -> HTML in
                    "<span class=\"tag\">\(Parts.value(role))</span>"
                }
                return "<p>\(permission.name.visible): \(roles)</p>"
            }
            return [
                Parts.value(collection.string("id")), Parts.value(collection.string("description")),
                "<a href=\"\(Visit.path("/store/\(percentEncoded(bucket))"))\">\(Parts.value(bucket))</a>",
                collection.isOn("userIsolated") ? "each user has separate objects" : "shared", "\(permissions)",
            ]
        }
        return """
            <p class="soft">Apps read and write them at <code>/mobile/platform/storage/collections/</code>. S3 reads and writes the same objects.</p>
            \(table("Collections", ["Collection", "Description", "Bucket", "Objects", "Permissions"], rows,
                empty: "<p>There is no collection. Add <code>collections</code> to the seed, or:</p>\(Parts.code("curl -X PUT -d '{\"id\":\"photos\",\"bucket\":\"my-bucket\"}' \(visit.place.services)/_virga/mobile/collections/photos", id: "empty", label: "the command"))"))
            \(callsBehind([("GET", "collections", nil)]))
            """
    }
}
