import Calls
import WireFormats

/// The store: buckets and objects, as an identity that the user chooses.
struct StoreRoom: ConsoleRoom {
    let visit: Visit
    let results: KeptValues<StoreResult>

    func show() async throws -> Response {
        let segments = visit.segments
        let query = visit.query
        if segments.count == 1, let from = query.value("from") { return try changeIdentity(from: from) }
        if segments.count == 1, let name = query.value("bucket") {
            // The form that opens a bucket by its name.
            return Visit.seeOther(StoreLocation(bucket: name, identity: query.first("as") ?? "").path)
        }
        guard segments.count <= 2 else { throw ConsoleRefusal.noSuchPage }
        if segments.count == 2, segments[1] == "preview", let bucket = query.value("bucket") {
            let scene = try await StoreScene(visit, StoreLocation(bucket: bucket, query), results)
            return try await ObjectContent(scene: scene).response(isDownload: query.value("download") != nil)
        }
        let location = StoreLocation(bucket: segments.count == 2 ? segments[1] : nil, query)
        let scene = try await StoreScene(visit, location, results)
        if location.bucket == nil { return try await BucketsPage(scene: scene).response() }
        if location.key != nil { return try await ObjectPage(scene: scene).response() }
        switch location["view"] {
        case "settings": return try await BucketSettingsPage(scene: scene).response()
        default: return try await ListingPage(scene: scene).response()
        }
    }

    /// Answers the form that chooses an identity: the same page as another one.
    private func changeIdentity(from path: String) throws -> Response {
        let target = percentDecoded(path) ?? ""
        guard target == Visit.path("/store") || target.hasPrefix(Visit.path("/store/")) || target.hasPrefix(Visit.path("/store?")) else {
            throw ConsoleRefusal.noSuchPage
        }
        let parts = target.split(separator: "?", maxSplits: 1)
        var query = FormFields(parsing: parts.count > 1 ? String(parts[1]) : "") ?? [:]
        query.fields.removeAll { ["as", "result", "done"].contains($0.name) }
        if let identity = visit.query.value("as") { query.fields.append(.init(name: "as", value: identity)) }
        guard let base = parts.first, base.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { throw ConsoleRefusal.noSuchPage }
        return Visit.seeOther(query.fields.isEmpty ? String(base) : "\(base)?\(query.queryEncoded)")
    }

    func act() async throws -> Response {
        let segments = visit.segments
        let actions = try await StoreActions(visit, bucket: segments.count == 3 ? segments[1] : nil, results)
        switch (segments.count, segments.last) {
        case (2, "create"): return try await actions.createBucket()
        case (2, "again"): return try await actions.repeatAsRoot()
        case (3, "delete-bucket"): return try await actions.deleteBucket()
        case (3, "delete"): return try await actions.deleteObject()
        case (3, "restore"): return try await actions.restoreVersion()
        case (3, "tags"): return try await actions.saveTags()
        case (3, "presign"): return try await actions.presign()
        case (3, "versioning"): return try await actions.setVersioning()
        case (3, "document"): return try await actions.saveDocument()
        default: throw ConsoleRefusal.noSuchAction
        }
    }
}
