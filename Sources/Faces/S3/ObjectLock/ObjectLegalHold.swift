import Calls
import Cloud
import ObjectStore
import WireFormats

extension S3Request {
    private static let legalHoldLimit = 8 << 10

    func getObjectLegalHold(_ address: ObjectAddress) throws(S3Error) -> Response {
        let (record, _) = try lockedObject(address, .getObjectLegalHold)
        guard let isHeld = record.properties.lock.legalHold else { throw S3Error(.noSuchObjectLockConfiguration) }
        return answer(root: "LegalHold") { xml in xml.element("Status", isHeld ? "ON" : "OFF") }
    }

    func putObjectLegalHold(_ address: ObjectAddress) async throws -> Response {
        let bucket = try bucket(address.bucket)
        try authorize(.putObjectLegalHold, on: bucket, key: address.key)
        let declaration = try declaredBody()
        try checkDigest(declaration)
        let element = try xml("LegalHold", try await document(upTo: Self.legalHoldLimit, declaration))
        guard element.children.count == 1, let status = element.child("Status")?.text, status == "ON" || status == "OFF" else {
            throw S3Error(.malformedXML)
        }
        _ = try lockedObject(address, .putObjectLegalHold)
        let isHeld = status == "ON"
        try await change(address, in: bucket) { record throws(ObjectStoreError) in
            record.properties.lock.legalHold = isHeld
        }
        return answer()
    }
}
