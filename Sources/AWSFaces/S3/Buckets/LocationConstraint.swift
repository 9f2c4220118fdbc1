import Cloud
import HTTPTypes
import ObjectServing
import WireFormats

/// Where a bucket is to be, as CreateBucket's document says it. (S3 API Reference, CreateBucket, GetBucketLocation.)
enum LocationConstraint {
    /// Refuses a constraint that does not suit the region of the endpoint.
    /// - Parameters:
    ///   - region: of the endpoint, which is the one that the request is signed for.
    ///   - isStrict: whether only regions that AWS has count, and not every name of their form.
    static func check(_ constraint: String, at region: String, isStrict: Bool = false) throws(S3Error) {
        guard isRegion(region) || region == constraint else {
            // s3cmd signs for "US" until this error, with its Region, says what to sign for.
            throw S3Error(
                .authorizationHeaderMalformed,
                "The authorization header is malformed; the region '\(region)' is wrong; expecting 'us-east-1'",
                ["Region": "us-east-1"])
        }
        if region == "us-east-1" {
            let isThere = isStrict ? constraint == "EU" || isKnown(constraint) : isRegion(constraint)
            guard constraint.isEmpty || (constraint != region && isThere) else {
                throw S3Error(.invalidLocationConstraint, nil, ["LocationConstraint": constraint])
            }
        } else {
            guard Bucket.regionName(of: constraint) == region, !constraint.isEmpty else {
                throw .incompatible(constraint)
            }
        }
    }

    /// Whether AWS has a region of the name. (AWS General Reference, "Amazon S3 endpoints and quotas".)
    static func isKnown(_ region: String) -> Bool { regions.contains(region) }

    /// Whether it is a region that accounts have to opt in to: those opened since March 2019. (AWS Account Management Guide, "Regions".)
    static func isOptIn(_ region: String) -> Bool { optInRegions.contains(region) }

    private static let optInRegions: Set = [
        "af-south-1", "ap-east-1", "ap-east-2", "ap-south-2", "ap-southeast-3", "ap-southeast-4", "ap-southeast-5", "ap-southeast-6",
        "ap-southeast-7", "ca-west-1", "eu-central-2", "eu-south-1", "eu-south-2", "il-central-1", "me-central-1", "me-south-1",
        "mx-central-1",
    ]

    /// Whether a region takes Signature Version 2: those opened before 2014. (AWS General Reference, "Signature Version 4".)
    static func takesVersion2(_ region: String) -> Bool { ServiceHost.isOld(region) }

    private static let regions: Set = [
        "af-south-1", "ap-east-1", "ap-east-2", "ap-northeast-1", "ap-northeast-2", "ap-northeast-3", "ap-south-1", "ap-south-2",
        "ap-southeast-1", "ap-southeast-2", "ap-southeast-3", "ap-southeast-4", "ap-southeast-5", "ap-southeast-6", "ap-southeast-7",
        "ca-central-1", "ca-west-1", "cn-north-1", "cn-northwest-1", "eu-central-1", "eu-central-2", "eu-north-1", "eu-south-1",
        "eu-south-2", "eu-west-1", "eu-west-2", "eu-west-3", "il-central-1", "me-central-1", "me-south-1", "mx-central-1", "sa-east-1",
        "us-east-1", "us-east-2", "us-gov-east-1", "us-gov-west-1", "us-west-1", "us-west-2",
    ]

    /// `EU`, or the form of a region's name: `eu-central-1`, `us-gov-west-1`.
    private static func isRegion(_ text: String) -> Bool {
        if text == "EU" { return true }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (3...4).contains(parts.count), let number = parts.last, UInt8(number) != nil else { return false }
        return parts[0].utf8.count == 2
            && parts.dropLast().allSatisfy { part in part.utf8.allSatisfy { (0x61...0x7A).contains($0) } }
    }
}

extension Bucket {
    /// Tells in which region it is.
    var regionField: HTTPFields { [.bucketRegion: regionName] }
}
