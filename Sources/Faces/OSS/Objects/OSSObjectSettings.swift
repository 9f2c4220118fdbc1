import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import WireFormats

extension OSSRequest {
    func getObjectACL(_ key: String, in bucket: Bucket) throws(OSSError) -> Response {
        let (record, _) = try headedObject(key, in: bucket, asking: .getObjectAcl, ofVersion: .getObjectVersionAcl)
        return answer(.ok, versionFields(record, in: bucket), root: "AccessControlPolicy") { xml in
            xml.element("Owner") { xml in
                xml.element("ID", bucket.account)
                xml.element("DisplayName", bucket.account)
            }
            xml.element("AccessControlList") { xml in
                xml.element("Grant", OSSObjectAccess(record.properties.accessControl).rawValue)
            }
        }
    }

    func putObjectACL(_ key: String, in bucket: Bucket) async throws -> Response {
        let input = try input(PutObjectACLInput.self)
        let (_, version) = try headedObject(key, in: bucket, asking: .putObjectAcl, ofVersion: .putObjectVersionAcl)
        let list = try accessControl(try input.access.get(), in: bucket)
        let record = try await change(key, version, in: bucket, as: .objectACLPut) { record throws(ObjectStoreError) in
            record.properties.accessControl = list
        }
        return answer(.ok, versionFields(record, in: bucket))
    }

    func getObjectTagging(_ key: String, in bucket: Bucket) throws(OSSError) -> Response {
        let (record, _) = try headedObject(
            key, in: bucket, asking: .getObjectTagging, ofVersion: .getObjectVersionTagging)
        return answer(.ok, versionFields(record, in: bucket), root: "Tagging") { $0.tagSet(record.properties.tags) }
    }

    /// PutObjectTagging. Appendable objects and symbolic links have tags as well.
    func putObjectTagging(_ key: String, in bucket: Bucket) async throws -> Response {
        let (_, version) = try headedObject(
            key, in: bucket, asking: .putObjectTagging, ofVersion: .putObjectVersionTagging)
        let tags = try [Tag](oss: try await xmlDocument("Tagging"))
        let record = try await change(key, version, in: bucket, as: .objectTaggingPut) { record throws(ObjectStoreError) in
            record.properties.tags = tags
        }
        return answer(.ok, versionFields(record, in: bucket))
    }

    func deleteObjectTagging(_ key: String, in bucket: Bucket) async throws -> Response {
        let (_, version) = try headedObject(
            key, in: bucket, asking: .deleteObjectTagging, ofVersion: .deleteObjectVersionTagging)
        let record = try await change(key, version, in: bucket, as: .objectTaggingDelete) { record throws(ObjectStoreError) in
            record.properties.tags = []
        }
        return answer(.noContent, versionFields(record, in: bucket))
    }
}
