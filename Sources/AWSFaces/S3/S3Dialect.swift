/// Whose answers count where real services differ.
package enum S3Dialect: String, Sendable, CaseIterable {
    case aws
    /// What suites written against Ceph's RADOS Gateway expect and AWS answers otherwise:
    /// - a write takes a tag in `If-None-Match` and the asterisk in `If-Match`, as RFC 9110 has them; AWS answers 501;
    /// - content in chunks of HTTP alone is taken; AWS answers 501;
    /// - a lifetime in `X-Amz-Expires` that cannot be is 403; AWS answers 400;
    /// - an expected owner that is no account's identifier is 403; AWS answers 400;
    /// - a torrent of an object is not found; AWS answers 501 since it gave torrents up;
    /// - an upload whose parts a client's key encrypts is completed with that key; AWS asks for it only with checksums;
    /// - policies may name users, groups and roles without their account in calls to IAM, and a role that is made so may be taken by the
    ///   same name.
    case ceph
}
