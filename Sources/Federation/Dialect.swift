package import Policy

/// Whose answers count where real services differ.
package enum Dialect: String, Sendable, CaseIterable {
    case aws
    /// What suites written against Ceph's RADOS Gateway expect and AWS answers otherwise:
    /// - a write takes a tag in `If-None-Match` and the asterisk in `If-Match`, as RFC 9110 has them; AWS answers 501;
    /// - content in chunks of HTTP alone is taken; AWS answers 501;
    /// - a lifetime in `X-Amz-Expires` that cannot be is 403; AWS answers 400;
    /// - an expected owner that is no account's identifier is 403; AWS answers 400;
    /// - a torrent of an object is not found; AWS answers 501 since it gave torrents up;
    /// - an upload whose parts a client's key encrypts is completed with that key; AWS asks for it only with checksums;
    /// - the answer to that names the client's key; AWS's names none;
    /// - a part that an object does not have is `InvalidPart`, before the client's key is looked at; AWS answers 416;
    /// - a range to copy that the source does not have is `InvalidRange`; AWS answers `InvalidArgument`;
    /// - another key of a client than the object's is `InvalidRequest`; AWS answers `AccessDenied`;
    /// - a checksum that is no base 64 is `BadDigest`; AWS answers `InvalidRequest`;
    /// - a part without a checksum completes a composite upload all the same; AWS answers `InvalidRequest`;
    /// - more than ten tags of an object are `InvalidTag`; AWS answers `BadRequest`;
    /// - a bucket without a policy is as public as its list; AWS answers `NoSuchBucketPolicy`;
    /// - CreateBucket with `x-amz-object-ownership` takes no permission to set the ownership; AWS asks for it;
    /// - a bucket created again with another list is refused; AWS replaces the list;
    /// - a grant may name an e-mail address; AWS answers 405 since October 2025;
    /// - a list shows grants to groups first; AWS shows them in their order;
    /// - who asks for a missing key is judged by that key as `s3:prefix`; AWS's request has no such key;
    /// - a deletion may ask to pass over retentions in a bucket that locks nothing; AWS answers `InvalidArgument`;
    /// - owners and grantees have a `DisplayName`; AWS tells none since November 2025;
    /// - a form may have checksums that its policy does not name, and lack encryption that it names with `starts-with` nothing;
    /// - an empty continuation token begins at the start; AWS answers `InvalidArgument`;
    /// - HeadObject of a missing key says that it is no delete marker; AWS says nothing of it;
    /// - the parts of an object are listed whatever its checksum; AWS lists those of a composite one and counts the rest;
    /// - PutBucketTagging answers 200; AWS answers 204;
    /// - a bucket policy put with `x-amz-confirm-remove-self-bucket-access` can shut the owner's root user out from itself;
    /// - policies may name users, groups and roles without their account in calls to IAM;
    /// - a role is taken from another account where its trust policy names the caller; AWS asks the caller's own policies as well.
    /// - an OpenID Connect provider without client identifiers takes the tokens of all clients; AWS takes those of none.
    /// - policies know the bucket's tags as `s3:ResourceTag/…`, the credentials of a session by `sts:authentication`, the keys of its tags by
    ///   `aws:TagKeys`, and trust policies the audience of a token as `<issuer>:app_id`; AWS has none of these keys there;
    /// - a tag key may be given twice to a bucket, an object or a role, and a token may give one several values: each counts; AWS refuses them;
    /// - accounts of a seed may have no identifier, and ARNs in policies and calls then name none; AWS calls them invalid;
    /// - users and roles of no account need no word from a bucket's owner beside their own policies; those of AWS have an account;
    /// - a bucket policy may name a role's session as `arn:aws:iam:::assumed-role/…`; AWS calls it an invalid principal;
    /// - the inline policy of a role may have a Principal, which says nothing; AWS answers `MalformedPolicyDocument`.
    case ceph
}

extension Dialect {
    /// The language of policies that goes with it.
    package var ofPolicies: PolicyDialect { self == .ceph ? .ceph : .aws }
}
