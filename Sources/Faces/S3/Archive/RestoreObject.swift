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
        let request = try RestoreRequest(try xml("RestoreRequest", body))
        let storageClass = record.attributes.storageClass ?? StorageClass.standard.rawValue
        let days = try request.days(for: storageClass)
        let wasRestored = record.restoration?.isInForce(by: clock) ?? false
        let now = clock.now
        let restoration = Restoration(days: days, from: now)
        try await change(address, in: bucket) { record throws(ObjectStoreError) in record.restoration = restoration }
        changes(in: bucket).sendRestorationEvents(of: record, .init(end: restoration.until, storageClass: storageClass))
        return answer(wasRestored ? .ok : .accepted)
    }
}

/// The document of a RestoreObject request.
private struct RestoreRequest {
    private var days: Int?
    private var isExpedited = false

    /// Parses the document.
    /// - Throws: `MalformedXML`, `InvalidArgument`; `NotImplemented` for a query over the object.
    init(_ element: XMLElement) throws(S3Error) {
        for child in element.children {
            switch child.name {
            case "Days":
                guard let number = Int(decimal: child.text) else { throw S3Error(.malformedXML) }
                days = number
            case "Tier": isExpedited = try Self.isExpedited(tier: child.text)
            case "GlacierJobParameters":
                guard child.children.count == 1, let tier = child.child("Tier") else { throw S3Error(.malformedXML) }
                isExpedited = try Self.isExpedited(tier: tier.text)
            case "Description": break
            case "Type", "SelectParameters", "OutputLocation": throw .notImplemented(header: child.name)
            default: throw S3Error(.malformedXML)
            }
        }
        if let days, !(1...36_500).contains(days) {
            throw .invalidArgument("restoration days should be at least 1", name: "Days", value: String(days))
        }
    }

    /// Returns the days that the restored copy of an object of the storage class is kept.
    ///
    /// (s3tools/s3cmd#1377 for S3 Intelligent-Tiering. S3 API Reference, RestoreObject, and the message that FINRA's herd compares, for
    /// Expedited; its code is not documented.)
    /// - Throws: `InvalidArgument` for days or a tier that the class does not have; `MalformedXML` if it needs days;
    ///   `InvalidObjectState` for S3 Intelligent-Tiering, because no object is in an archive tier of it.
    func days(for name: String) throws(S3Error) -> Int {
        let storageClass = StorageClass(rawValue: name)
        if storageClass == .intelligentTiering, days != nil {
            throw S3Error(
                .invalidArgument,
                "INTELLIGENT_TIERING objects are not subject to restore expiry. Do not specify Days when restoring this object")
        }
        guard days != nil || storageClass == .intelligentTiering else { throw S3Error(.malformedXML) }
        guard let days, let storageClass, storageClass.isArchive else {
            throw S3Error(
                .invalidObjectState, "Restore is not allowed for the object's current storage class",
                ["StorageClass": name])
        }
        guard storageClass != .deepArchive || !isExpedited else {
            throw S3Error(.invalidArgument, "Retrieval option is not supported by this storage class")
        }
        return days
    }

    private static func isExpedited(tier: String) throws(S3Error) -> Bool {
        guard ["Standard", "Bulk", "Expedited"].contains(tier) else { throw S3Error(.malformedXML) }
        return tier == "Expedited"
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
