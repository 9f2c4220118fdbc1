package import Calls
import Cloud
package import Federation
import HTTPTypes
import ObjectStore
import Policy
import WireFormats

extension S3Face {
    /// The actions that operations of this face require, as policies name them.
    package static let actions = S3Action.allCases.map(\.rawValue)

    /// Returns the decision on an action on a bucket, an object, or `*`, from everything that applies to a request, without a request.
    /// - Parameter resource: an ARN of S3; the bucket and the object need not exist.
    /// - Returns: `nil` for an action that no operation of this face requires.
    package func decide(
        _ action: String, on resource: String, assuming assumption: AccessAssumption, for call: Call
    ) -> Authorizer.Verdict? {
        guard let action = S3Action(rawValue: action) else { return nil }
        let request = S3Request(
            call: call, query: [:], headers: [:], authenticated: nil, bucketRules: bucketRules, events: events, dialect: dialect,
            regions: regions, assumption: assumption)
        return request.verdict(on: action, resource)
    }
}

extension S3Request {
    /// Returns the decision on an action on the resource with an ARN.
    fileprivate func verdict(on action: S3Action, _ resource: String) -> Authorizer.Verdict? {
        let name = resource.hasPrefix("arn:aws:s3:::") ? resource.dropFirst("arn:aws:s3:::".count) : ""
        let slash = name.firstIndex(of: "/") ?? name.endIndex
        guard let bucket = objects.bucket(named: String(name[..<slash]), for: .aws) else { return decide(action, onUnowned: resource) }
        let key = slash == name.endIndex ? nil : String(name[name.index(after: slash)...])
        var object: ObjectRecord?
        if let key, !action.isOfKeyAlone, let found = try? objects.head(key, version: .current, in: bucket.id),
            case .object(let record) = found
        {
            object = record
        }
        return try? decide(action, resource, in: bucket, object: object)
    }
}
