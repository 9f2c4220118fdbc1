import Calls
import Cloud
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    func getBucketInfo(_ bucket: Bucket) throws(OSSError) -> Response {
        try authorize(.getBucketInfo, on: bucket)
        let rule = try configuration(.ossEncryption, of: bucket)?.child("ApplyServerSideEncryptionByDefault")
        let endpoint = endpoint
        let documents = bucket.configuration.documents
        let acceleration = try configuration(.ossTransferAcceleration, of: bucket)?.child("Enabled")?.text
        let monitor = try configuration(.ossAccessMonitor, of: bucket)?.child("Status")?.text
        return answer(root: "BucketInfo", capacity: 2048) { xml in
            xml.element("Bucket") { xml in
                xml.element("AccessMonitor", monitor ?? "Disabled")
                xml.element("BlockPublicAccess", documents[.ossPublicAccessBlock].map { $0 == "true" } ?? true)
                xml.element("Comment", "")
                xml.element("CreationDate", clock.effective(bucket.created).ossText)
                xml.element("CrossRegionReplication", "Disabled")
                xml.element("DataRedundancyType", documents[.ossDataRedundancy] ?? "LRS")
                xml.element("ExtranetEndpoint", endpoint)
                xml.element("IntranetEndpoint", endpoint)
                xml.element("Location", bucket.ossLocation)
                xml.element("Name", bucket.name)
                xml.element("ResourceGroupId", bucket.resourceGroup)
                xml.element("StorageClass", bucket.ossStorageClass)
                xml.element("TransferAcceleration", acceleration?.trimmed == "true" ? "Enabled" : "Disabled")
                if let status = bucket.configuration.versioning.ossStatus { xml.element("Versioning", status) }
                encodeOwner(bucket.account, into: &xml)
                xml.element("AccessControlList") { xml in xml.element("Grant", bucket.ossACL) }
                xml.element("ServerSideEncryptionRule") { xml in
                    xml.element("SSEAlgorithm", rule?.child("SSEAlgorithm")?.text ?? "None")
                    if let key = rule?.child("KMSMasterKeyID")?.text { xml.element("KMSMasterKeyID", key) }
                    if let data = rule?.child("KMSDataEncryption")?.text { xml.element("KMSDataEncryption", data) }
                }
                xml.element("BucketPolicy") { xml in
                    let target = try? configuration(.ossLogging, of: bucket)?.child("LoggingEnabled")
                    xml.element("LogBucket", target?.child("TargetBucket")?.text ?? "")
                    xml.element("LogPrefix", target?.child("TargetPrefix")?.text ?? "")
                }
            }
        }
    }

    func getBucketStat(_ bucket: Bucket) async throws(OSSError) -> Response {
        try authorize(.getBucketStat, on: bucket)
        let statistics: BucketStatistics
        do { statistics = try await objects.statistics(of: bucket.id) } catch { throw OSSError(error, bucket: bucket.name) }
        var shares: [OSSStorageClass: BucketStatistics.Share] = [:]
        for (name, share) in statistics.byClass {
            let storageClass = OSSStorageClass(stored: name.isEmpty ? nil : name)
            shares[storageClass, default: .init()].count += share.count
            shares[storageClass, default: .init()].size += share.size
        }
        let total = shares.values.reduce(into: BucketStatistics.Share()) { sum, share in
            sum.count += share.count
            sum.size += share.size
        }
        return answer(root: "BucketStat", capacity: 2048) { xml in
            xml.element("Storage", total.size + statistics.parts.size)
            xml.element("ObjectCount", total.count)
            xml.element("MultipartUploadCount", statistics.uploads)
            xml.element("MultipartPartCount", statistics.parts.count)
            xml.element("LiveChannelCount", 0)
            xml.element("LastModifiedTime", statistics.modified.map { clock.effective($0).seconds } ?? 0)
            xml.element("DeleteMarkerCount", statistics.deleteMarkers)
            for storageClass in OSSStorageClass.allCases {
                let share = shares[storageClass] ?? BucketStatistics.Share()
                xml.element("\(storageClass.statisticsName)Storage", share.size)
                if storageClass != .standard { xml.element("\(storageClass.statisticsName)RealStorage", share.size) }
                xml.element("\(storageClass.statisticsName)ObjectCount", share.count)
            }
        }
    }
}

extension OSSStorageClass {
    /// The prefix of the elements of GetBucketStat for the storage class.
    fileprivate var statisticsName: String { self == .infrequentAccess ? "InfrequentAccess" : rawValue }
}
