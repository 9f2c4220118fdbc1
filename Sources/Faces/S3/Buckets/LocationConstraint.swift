import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// Validation of the location constraint in CreateBucket's document. (S3 API Reference, CreateBucket, GetBucketLocation.)
enum LocationConstraint {
    /// Rejects a constraint that does not match the region of the endpoint.
    /// - Parameters:
    ///   - constraint: `nil` if the document has none. S3 rejects an empty one (aws/aws-sdk-js#526, ex-aws/ex_aws#222).
    ///   - region: the region of the endpoint, which the request is signed for.
    ///   - isStrict: whether to accept only regions that AWS has, as opposed to any name of the right form.
    static func check(_ constraint: String?, at region: String, isStrict: Bool = false) throws(S3Error) {
        guard isRegion(region) || region == constraint else {
            // s3cmd signs for "US" until it receives this error with the region to sign for.
            throw S3Error(
                .authorizationHeaderMalformed,
                "The authorization header is malformed; the region '\(region)' is wrong; expecting 'us-east-1'",
                ["Region": "us-east-1"])
        }
        if region == "us-east-1" {
            guard let constraint else { return }
            let isThere = isStrict ? constraint == "EU" || AWSRegion.isKnown(constraint) : isRegion(constraint)
            guard constraint != region, isThere else {
                throw S3Error(.invalidLocationConstraint, nil, ["LocationConstraint": constraint])
            }
        } else {
            guard let constraint, Bucket.regionName(of: constraint) == region, !constraint.isEmpty else {
                throw .incompatible(constraint ?? "")
            }
        }
    }

    /// Whether the text is `EU` or has the form of a region name: `eu-central-1`, `us-gov-west-1`.
    private static func isRegion(_ text: String) -> Bool {
        if text == "EU" { return true }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (3...4).contains(parts.count), let number = parts.last, UInt8(number) != nil else { return false }
        return parts[0].utf8.count == 2
            && parts.dropLast().allSatisfy { part in part.utf8.allSatisfy { (0x61...0x7A).contains($0) } }
    }
}

extension Bucket {
    /// The header field with the bucket's region.
    var regionField: HTTPFields { [.bucketRegion: regionName] }
}
