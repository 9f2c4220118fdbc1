package import Calls
import Cloud
package import Federation
import ObjectStore
import Policy
import WireFormats

extension OSSFace {
    /// Returns the decision on an action on the service, a bucket or an object, from everything that applies to a request, without a
    /// request.
    /// - Parameter resource: `acs:oss:<region>:<account>:<bucket>[/<key>]`, or `*`; the bucket and the object need not exist. For an
    ///   existing bucket its own region and account are used.
    /// - Returns: `nil` for a name that is not a resource of OSS.
    package func decide(
        _ action: String, on resource: String, assuming assumption: AccessAssumption, for call: Call
    ) -> Authorizer.Verdict? {
        let request = OSSRequest(
            face: self, call: call, address: OSSAddress(), query: [:], authenticated: nil, assumption: assumption)
        return request.verdict(on: action, resource)
    }
}

extension OSSRequest {
    /// Returns the decision on an action on the resource with a name.
    fileprivate func verdict(on action: String, _ resource: String) -> Authorizer.Verdict? {
        let fields = resource.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
        let isNamed = fields.count == 5 && fields[0] == "acs" && fields[1] == "oss"
        guard isNamed || resource == "*" else { return nil }
        let parts = isNamed ? fields[4].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false) : ["*"]
        guard let bucket = objects.bucket(named: String(parts[0]), for: .alibaba) else {
            let account = caller.account ?? Vendor.anonymous
            return call.authorize(caller, action, on: resource, ownedBy: account, assumed: assumption?.keys ?? [:])
        }
        let key = parts.count == 2 && !parts[1].isEmpty ? String(parts[1]) : nil
        var object: ObjectRecord?
        if let key, let found = try? objects.head(key, version: .current, in: bucket.id), case .object(let record) = found {
            object = record
        }
        return try? decide(OSSAction(rawValue: action), named: action, on: bucket, key: key, object: object)
    }
}
