import WireFormats

/// The regions of AWS as of November 2026.
package enum AWSRegion {
    /// Returns whether AWS has a region with this name. (AWS General Reference, "Amazon S3 endpoints and quotas".)
    package static func isKnown(_ region: String) -> Bool { regions.contains(region) }

    /// Returns whether accounts must opt in to the region: those opened since March 2019. (AWS Account Management Guide, "Regions".)
    package static func isOptIn(_ region: String) -> Bool { optInRegions.contains(region) }

    /// Returns whether a region was opened before 2014; these also accept Signature Version 2. (AWS General Reference, "Signature Version
    /// 4".)
    package static func isOld(_ region: String) -> Bool { oldRegions.contains(region) }

    /// The regions that accounts outside of China and of the government can have, in the order of their names.
    package static let ofAccounts = regions.filter { !$0.hasPrefix("cn-") && !$0.hasPrefix("us-gov-") }.sorted()

    private static let regions: Set = [
        "af-south-1", "ap-east-1", "ap-east-2", "ap-northeast-1", "ap-northeast-2", "ap-northeast-3", "ap-south-1", "ap-south-2",
        "ap-southeast-1", "ap-southeast-2", "ap-southeast-3", "ap-southeast-4", "ap-southeast-5", "ap-southeast-6", "ap-southeast-7",
        "ca-central-1", "ca-west-1", "cn-north-1", "cn-northwest-1", "eu-central-1", "eu-central-2", "eu-north-1", "eu-south-1",
        "eu-south-2", "eu-west-1", "eu-west-2", "eu-west-3", "il-central-1", "me-central-1", "me-south-1", "mx-central-1", "sa-east-1",
        "us-east-1", "us-east-2", "us-gov-east-1", "us-gov-west-1", "us-west-1", "us-west-2",
    ]

    private static let optInRegions: Set = [
        "af-south-1", "ap-east-1", "ap-east-2", "ap-south-2", "ap-southeast-3", "ap-southeast-4", "ap-southeast-5", "ap-southeast-6",
        "ap-southeast-7", "ca-west-1", "eu-central-2", "eu-south-1", "eu-south-2", "il-central-1", "me-central-1", "me-south-1",
        "mx-central-1",
    ]

    private static let oldRegions: Set = [
        "ap-northeast-1", "ap-southeast-1", "ap-southeast-2", "eu-west-1", "sa-east-1", "us-east-1", "us-west-1", "us-west-2",
    ]
}
