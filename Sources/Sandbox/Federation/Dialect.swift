package import Policy
import WireFormats

/// The S3 implementation to imitate where they differ.
package enum Dialect: String, Sendable, CaseIterable {
    case aws
    /// Behavior that test suites for Ceph's RADOS Gateway expect, where it differs from AWS:
    /// - a write accepts an ETag in `If-None-Match` and the asterisk in `If-Match`, as in RFC 9110; AWS returns 501;
    /// - a body with plain HTTP chunked encoding is accepted; AWS returns 501;
    /// - an invalid lifetime in `X-Amz-Expires` returns 403; AWS returns 400;
    /// - an expected owner that is not an account identifier returns 403; AWS returns 400;
    /// - a torrent of an object is not found; AWS returns 405 since it discontinued torrents;
    /// - a multipart upload with SSE-C is completed with the client's key; AWS requires it only with checksums;
    /// - the response to that contains the SSE-C headers; AWS's does not;
    /// - a missing part of an object returns `InvalidPart` before the client's key is checked; AWS returns 416;
    /// - a copy range outside the source returns `InvalidRange`; AWS returns `InvalidArgument`;
    /// - an SSE-C key other than the object's returns `InvalidRequest`; AWS returns `AccessDenied`;
    /// - a checksum that is not base 64 returns `BadDigest`; AWS returns `InvalidRequest`;
    /// - a part without a checksum can complete a composite upload; AWS returns `InvalidRequest`;
    /// - more than ten tags of an object return `InvalidTag`; AWS returns `BadRequest`;
    /// - the policy status of a bucket without a policy depends on its ACL; AWS returns `NoSuchBucketPolicy`;
    /// - CreateBucket with `x-amz-object-ownership` needs no permission to set the ownership; AWS requires it;
    /// - creating a bucket again with another ACL is rejected; AWS replaces the ACL;
    /// - a grant may name an e-mail address; AWS returns 405 since October 2025;
    /// - an ACL lists grants to groups first; AWS keeps their order;
    /// - a request for a missing key is authorized with that key as `s3:prefix`; AWS's request has no such key;
    /// - a deletion may bypass retention in a bucket without object lock; AWS returns `InvalidArgument`;
    /// - owners and grantees have a `DisplayName`; AWS returns none since November 2025;
    /// - a form may have checksums that its policy does not name, and may omit encryption that the policy names with an empty
    ///   `starts-with`;
    /// - an empty continuation token starts at the beginning; AWS returns `InvalidArgument`;
    /// - HeadObject of a missing key returns that it is not a delete marker; AWS omits the header;
    /// - the parts of an object are listed whatever its checksum; AWS lists those of a composite one and returns only the count for others;
    /// - PutBucketTagging returns 200; AWS returns 204;
    /// - a bucket policy put with `x-amz-confirm-remove-self-bucket-access` can lock out the root user of the bucket's owner;
    /// - an identity of another account can read and change a bucket policy with permission; AWS returns 405;
    /// - a copy needs no permission for the tags that it takes over; AWS requires permission to read and to write them;
    /// - policies may name users, groups and roles without their account in calls to IAM;
    /// - a role can be assumed from another account if its trust policy names the caller; AWS also evaluates the caller's own policies;
    /// - an OpenID Connect provider without client identifiers accepts the tokens of all clients; AWS accepts none;
    /// - policies can use the bucket's tags as `s3:ResourceTag/…`, the credentials of a session as `sts:authentication`, and its tag keys
    ///   as `aws:TagKeys`; trust policies can use the audience of a token as `<issuer>:app_id`; AWS has none of these keys there;
    /// - a bucket, an object or a role may have a tag key twice, and a token may give a tag several values, which all count; AWS rejects
    ///   them;
    /// - accounts of a seed may have no identifier, and ARNs in policies and calls then have none; AWS rejects such ARNs;
    /// - users and roles without an account need no permission from the bucket's owner beside their own policies; those of AWS have an
    ///   account;
    /// - a bucket policy may name a role's session as `arn:aws:iam:::assumed-role/…`; AWS rejects it as an invalid principal;
    /// - the inline policy of a role may have a Principal, which is ignored; AWS returns `MalformedPolicyDocument`;
    /// - headers that belong to another operation are ignored, such as encryption headers on a part; AWS returns `InvalidArgument`;
    /// - the request line and headers may be longer than 8 KiB; AWS returns `RequestHeaderSectionTooLarge`;
    /// - the header `Range` of a CopyObject request is ignored; AWS returns `InvalidArgument`;
    /// - a default retention of no or a negative time returns `InvalidRetentionPeriod`; AWS returns `InvalidArgument`;
    /// - a locked object or part needs no digest; AWS returns `InvalidRequest`;
    /// - a listing with `encoding-type=url` writes a space as `%20` and `*` as `%2A`; AWS writes `+` and `*`;
    /// - a condition with an ETag needs no permission to read the object, and a deletion of a version may have one; AWS requires
    ///   `s3:GetObject`, and returns 501;
    /// - a bucket policy may have condition keys that its actions lack, and is returned as it was put; AWS returns `MalformedPolicy`, and its
    ///   own text of the policy.
    case ceph
}

extension Dialect {
    /// The corresponding dialect of policies.
    package var ofPolicies: PolicyDialect { self == .ceph ? .ceph : .aws }
}
