import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import WireFormats

extension OSSRequest {
    /// GetService (ListBuckets).
    func listBuckets() throws(OSSError) -> Response {
        try authorize(.listBuckets, onService: "*")
        guard let account = caller.account else { throw Self.anonymousForbidden }
        let input = try input(ListBucketsInput.self)
        let (prefix, marker, limit, group) = (input.prefix, input.marker, input.limit, input.resourceGroup)
        let found = objects.buckets(of: account, prefix: prefix, after: marker.isEmpty ? nil : marker, limit: limit) { bucket in
            input.tags.allSatisfy { wanted in
                bucket.configuration.tags.contains { $0.key == wanted.key && (wanted.value ?? $0.value) == $0.value }
            } && (group.isEmpty || bucket.resourceGroup == group)
        }
        let (page, isTruncated) = (found.buckets, found.isTruncated)
        let endpoint = endpoint
        return answer(root: "ListAllMyBucketsResult", capacity: 512 + page.count * 400) { xml in
            xml.element("Prefix", prefix)
            xml.element("Marker", marker)
            xml.element("MaxKeys", limit)
            xml.element("IsTruncated", isTruncated)
            if isTruncated { xml.element("NextMarker", page.last?.name ?? "") }
            encodeOwner(account, into: &xml)
            xml.element("Buckets") { xml in
                for bucket in page {
                    xml.element("Bucket") { xml in
                        xml.element("CreationDate", clock.effective(bucket.created).ossText)
                        xml.element("ExtranetEndpoint", endpoint)
                        xml.element("IntranetEndpoint", endpoint)
                        xml.element("Location", bucket.ossLocation)
                        xml.element("Name", bucket.name)
                        xml.element("Region", bucket.region)
                        xml.element("StorageClass", bucket.ossStorageClass)
                        xml.element("ResourceGroupId", bucket.resourceGroup)
                    }
                }
            }
        }
    }

    /// DescribeRegions.
    func describeRegions() throws(OSSError) -> Response {
        try authorize(.describeRegions, onService: "*")
        var regions = OSSRegion.all
        if let name = try input(DescribeRegionsInput.self).location {
            regions = regions.filter { $0.location == name }
            guard !regions.isEmpty else { throw OSSError(.noSuchRegion, name) }
        }
        return answer(root: "RegionInfoList") { xml in
            for region in regions {
                xml.element("RegionInfo") { xml in
                    xml.element("Region", region.location)
                    xml.element("InternetEndpoint", "\(region.location).aliyuncs.com")
                    xml.element("InternalEndpoint", "\(region.location)-internal.aliyuncs.com")
                    xml.element(
                        "AccelerateEndpoint",
                        region.isInChina ? "oss-accelerate.aliyuncs.com" : "oss-accelerate-overseas.aliyuncs.com")
                }
            }
        }
    }
}

/// A region for buckets. (OSS User Guide, "Regions and endpoints".)
struct OSSRegion {
    var name: String

    var location: String { "oss-\(name)" }
    var isInChina: Bool { name.hasPrefix("cn-") && name != "cn-hongkong" }

    static let all = [
        "cn-hangzhou", "cn-shanghai", "cn-nanjing", "cn-fuzhou", "cn-wuhan-lr", "cn-qingdao", "cn-beijing", "cn-zhangjiakou",
        "cn-huhehaote", "cn-wulanchabu", "cn-shenzhen", "cn-heyuan", "cn-guangzhou", "cn-chengdu", "cn-hongkong", "us-west-1",
        "us-east-1", "ap-northeast-1", "ap-northeast-2", "ap-southeast-1", "ap-southeast-3", "ap-southeast-5", "ap-southeast-6",
        "ap-southeast-7", "eu-central-1", "eu-west-1", "me-east-1",
    ].map(OSSRegion.init)
}

extension Bucket {
    /// The ID of the bucket's resource group.
    var resourceGroup: String {
        guard let text = configuration.documents[.ossResourceGroup], let element = try? XMLElement(parsing: Array(text.utf8)) else {
            return OSSDocumentKind.defaultResourceGroup
        }
        return element.child("ResourceGroupId")?.text ?? OSSDocumentKind.defaultResourceGroup
    }
}
