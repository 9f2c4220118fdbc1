import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    private static let restoreLimit = 64 << 10

    /// RestoreObject. The restored copy is available at once; a repeated request changes its expiry.
    func restoreObject(_ address: ObjectAddress) async throws -> Response {
        let bucket = try bucket(address.bucket)
        let record = try addressedObject(address, in: bucket, .restoreObject)
        let body = try await document(upTo: Self.restoreLimit, try declaredBody())
        let days = try RestoreRequest(try xml("RestoreRequest", body)).days
        guard let name = record.attributes.storageClass, StorageClass(rawValue: name)?.isArchive == true else {
            throw S3Error(
                .invalidObjectState, "Restore is not allowed for the object's current storage class",
                ["StorageClass": record.attributes.storageClass ?? StorageClass.standard.rawValue])
        }
        let wasRestored = record.restoration?.isInForce(by: clock) ?? false
        let now = clock.now
        let restoration = Restoration(days: days, from: now)
        try await change(address, in: bucket) { record throws(ObjectStoreError) in record.restoration = restoration }
        changes(in: bucket).sendRestorationEvents(of: record, .init(end: restoration.until, storageClass: name))
        return answer(wasRestored ? .ok : .accepted)
    }
}

/// The document of a RestoreObject request.
private struct RestoreRequest {
    var days: Int

    /// Parses the document.
    /// - Throws: `MalformedXML`, `InvalidArgument`; `NotImplemented` for a query over the object.
    init(_ element: XMLElement) throws(S3Error) {
        var days: Int?
        for child in element.children {
            switch child.name {
            case "Days":
                guard let number = Int(decimal: child.text) else { throw S3Error(.malformedXML) }
                days = number
            case "Tier": try Self.check(tier: child.text)
            case "GlacierJobParameters":
                guard child.children.count == 1, let tier = child.child("Tier") else { throw S3Error(.malformedXML) }
                try Self.check(tier: tier.text)
            case "Description": break
            case "Type", "SelectParameters", "OutputLocation": throw .notImplemented(header: child.name)
            default: throw S3Error(.malformedXML)
            }
        }
        guard let days else { throw S3Error(.malformedXML) }
        guard (1...36_500).contains(days) else {
            throw .invalidArgument("restoration days should be at least 1", name: "Days", value: String(days))
        }
        self.days = days
    }

    private static func check(tier: String) throws(S3Error) {
        guard ["Standard", "Bulk", "Expedited"].contains(tier) else { throw S3Error(.malformedXML) }
    }
}

extension Restoration {
    private static let millisecondsADay: Int64 = 86_400_000

    /// Creates a restored copy that expires at the midnight after the given number of days.
    init(days: Int, from now: Timestamp) {
        let end = now.milliseconds + Int64(days) * Self.millisecondsADay
        self.init(
            until: Timestamp(milliseconds: (end / Self.millisecondsADay + 1) * Self.millisecondsADay), declared: now)
    }

    /// Whether the copy is available. `clock` includes the aging of the sandbox.
    func isInForce(by clock: SandboxClock) -> Bool { state(by: clock) == .available }

    /// The value of `x-amz-restore`; `nil` after the copy has expired.
    func header(by clock: SandboxClock) -> String? {
        guard isInForce(by: clock) else { return nil }
        let end = Timestamp(milliseconds: until.milliseconds - clock.aging(since: declared) * 1000)
        return "ongoing-request=\"false\", expiry-date=\"\(end.httpDate)\""
    }
}
