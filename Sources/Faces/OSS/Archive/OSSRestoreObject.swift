import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    private static let restoreLimit = 64 << 10

    /// RestoreObject. The restored copy becomes available as the sandbox's clock advances; a repeated request then changes its expiry.
    func restoreObject(_ key: String, in bucket: Bucket) async throws -> Response {
        let (record, version) = try headedObject(
            key, in: bucket, asking: .restoreObject, ofVersion: .restoreObjectVersion)
        let body = try await document(upTo: Self.restoreLimit)
        let storageClass = OSSStorageClass(stored: record.attributes.storageClass)
        guard storageClass.isArchive else { throw OSSError(.operationNotSupported) }
        let options = try OSSRestoreOptions(body.isEmpty ? nil : try xml("RestoreRequest", body), of: storageClass)
        let state = record.restoration?.state(by: clock) ?? .over
        guard state != .underWay else { throw OSSError(.restoreAlreadyInProgress) }
        let now = clock.now
        let ready = state == .available ? now : now + options.duration(of: storageClass)
        let restored = try await change(key, version, in: bucket, as: .objectRestorePost) { record throws(ObjectStoreError) in
            record.restoration = Restoration(
                until: ready + .seconds(86_400 * options.days), declared: now, ready: state == .available ? nil : ready)
        }
        var fields = versionFields(restored, in: bucket)
        if storageClass != .archive { fields.append(HTTPField(name: .ossRestorePriority, value: options.tier.rawValue)) }
        return answer(state == .available ? .ok : .accepted, fields)
    }

    /// CleanRestoredObject. Ends the availability of the restored copy early.
    func cleanRestoredObject(_ key: String, in bucket: Bucket) async throws -> Response {
        let (record, version) = try headedObject(
            key, in: bucket, asking: .cleanRestoredObject, ofVersion: .cleanRestoredObject)
        guard OSSStorageClass(stored: record.attributes.storageClass).isArchive else { throw OSSError(.operationNotSupported) }
        switch record.restoration?.state(by: clock) ?? .over {
        case .over: throw OSSError(.archiveRestoreFileStale)
        case .underWay: throw OSSError(.archiveRestoreNotFinished)
        case .available: break
        }
        let cleaned = try await change(key, version, in: bucket) { record throws(ObjectStoreError) in record.restoration = nil }
        return answer(.ok, versionFields(cleaned, in: bucket))
    }
}

/// The tier and the duration of a restoration. (OSS API Reference, "RestoreObject".)
struct OSSRestoreOptions: Hashable, Sendable {
    enum Tier: String, Sendable {
        case expedited = "Expedited"
        case standard = "Standard"
        case bulk = "Bulk"
    }

    var days = 1
    var tier = Tier.standard

    /// Parses the document.
    /// - Parameter element: the document; `nil` for an empty body.
    /// - Throws: `MalformedXML`, `InvalidArgument`.
    init(_ element: XMLElement?, of storageClass: OSSStorageClass) throws(OSSError) {
        guard let element else { return }
        for child in element.children {
            switch child.name {
            case "Days":
                guard let number = Int(decimal: child.text) else { throw OSSError(.malformedXML) }
                days = number
            case "Tier": tier = try Self.tier(child.text, of: storageClass)
            case "JobParameters":
                if let text = child.child("Tier")?.text { tier = try Self.tier(text, of: storageClass) }
            default: throw OSSError(.malformedXML)
            }
        }
        guard (1...(storageClass == .archive ? 7 : 365)).contains(days) else {
            throw .invalidArgument("The restore days are out of range.", name: "Days", value: String(days))
        }
    }

    private static func tier(_ text: String, of storageClass: OSSStorageClass) throws(OSSError) -> Tier {
        guard storageClass != .archive else { throw OSSError(.malformedXML) }
        guard let tier = Tier(rawValue: text), storageClass != .deepColdArchive || tier != .bulk else {
            throw .invalidArgument("The restore tier is invalid.", name: "Tier", value: text)
        }
        return tier
    }

    /// Returns the maximum time until the copy is available. (OSS User Guide, "Restore objects".)
    func duration(of storageClass: OSSStorageClass) -> Duration {
        switch (storageClass, tier) {
        case (.coldArchive, .expedited): .seconds(3600)
        case (.coldArchive, .standard): .seconds(5 * 3600)
        case (.coldArchive, .bulk): .seconds(12 * 3600)
        case (.deepColdArchive, .expedited): .seconds(12 * 3600)
        case (.deepColdArchive, _): .seconds(48 * 3600)
        default: .seconds(60)
        }
    }
}

extension Restoration {
    /// The value of `x-oss-restore`; `nil` after the copy has expired.
    func ossHeader(by clock: SandboxClock) -> String? {
        switch state(by: clock) {
        case .over: return nil
        case .underWay: return "ongoing-request=\"true\""
        case .available:
            let end = Timestamp(milliseconds: until.milliseconds - clock.aging(since: declared) * 1000)
            return "ongoing-request=\"false\", expiry-date=\"\(end.httpDate)\""
        }
    }
}
