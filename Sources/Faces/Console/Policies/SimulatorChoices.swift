import Calls
import ControlDocuments
import WireFormats

/// The lists of the simulator's form from which callers, actions and resources can be picked. Every other name can be typed.
struct SimulatorChoices {
    /// The most resources of the list.
    private static let most = 300

    let callers: [String]
    let resources: [String]

    /// - Parameter providers: the principals of providers whose users STS accepts without a registration.
    init(principals: [Principal], buckets: [StoredBucket], providers: [String]) {
        callers = ["anonymous"] + principals.prefix(500).map(\.arn) + providers
        let stored = buckets.prefix(100).flatMap { bucket in
            let name = bucket.vendor == "alibaba" ? "acs:oss:*:*:\(bucket.name)" : "arn:aws:s3:::\(bucket.name)"
            return [name, "\(name)/example.txt"]
        }
        let roles = principals.filter { $0.kind == "role" }.map(\.arn)
        resources = Array((stored + roles).prefix(Self.most))
    }

    var html: HTML {
        """
        \(Self.list("callers", callers))\(Self.list("actions", Self.actions))\(Self.list("resources", resources))

        """
    }

    private static func list(_ id: String, _ values: [String]) -> HTML {
        let options = values.map { value -> HTML in "<option value=\"\(value)\"></option>" }
        return "<datalist id=\"\(id)\">\(options)</datalist>"
    }

    /// A field that adds a value of a list to a field of several lines. The script does so at once; without it, the form does.
    /// - Parameters:
    ///   - name: the name of the field of several lines.
    ///   - list: the identifier of the list.
    static func picker(_ name: String, list: String, label: String) -> HTML {
        """
        <label for="add-\(name)">\(label)</label><input id="add-\(name)" name="add-\(name)" list="\(list)" data-adds="\(name)" spellcheck="false" \
        autocomplete="off">
        """
    }

    /// Actions that questions are often about.
    private static let actions = [
        "s3:GetObject", "s3:GetObjectVersion", "s3:GetObjectTagging", "s3:GetObjectAcl", "s3:GetObjectAttributes", "s3:GetObjectRetention",
        "s3:PutObject", "s3:PutObjectTagging", "s3:PutObjectAcl", "s3:PutObjectRetention", "s3:DeleteObject", "s3:DeleteObjectVersion",
        "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts", "s3:RestoreObject", "s3:BypassGovernanceRetention", "s3:ListBucket",
        "s3:ListBucketVersions", "s3:ListBucketMultipartUploads", "s3:ListAllMyBuckets", "s3:CreateBucket", "s3:DeleteBucket",
        "s3:GetBucketLocation", "s3:GetBucketPolicy", "s3:PutBucketPolicy", "s3:DeleteBucketPolicy", "s3:GetBucketVersioning",
        "s3:PutBucketVersioning", "s3:GetBucketTagging", "s3:GetBucketCORS", "s3:GetLifecycleConfiguration",
        "s3:PutLifecycleConfiguration", "s3:GetEncryptionConfiguration", "sts:AssumeRole", "sts:AssumeRoleWithWebIdentity",
        "sts:AssumeRoleWithSAML", "sts:TagSession", "sts:GetFederationToken", "iam:GetRole", "iam:ListRoles", "iam:CreateRole",
        "iam:PassRole", "iam:PutRolePolicy", "iam:AttachRolePolicy", "iam:UpdateAssumeRolePolicy", "iam:GetUser", "iam:ListUsers",
        "iam:CreateUser", "iam:CreateAccessKey", "oss:GetObject", "oss:PutObject", "oss:DeleteObject", "oss:ListObjects",
        "oss:ListBuckets", "oss:GetBucketAcl", "oss:PutBucketPolicy", "ram:GetRole", "ram:ListUsers", "ram:PassRole",
    ]
}
