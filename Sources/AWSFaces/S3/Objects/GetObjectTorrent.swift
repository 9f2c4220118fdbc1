import Exchange

extension S3Request {
    /// GetObjectTorrent. S3 gave up BitTorrent in 2022: no object has a torrent any more, and whoever may ask for one is told
    /// what ceph/s3-tests wants of a service without them (test_get_object_torrent).
    /// - Throws: always; `NoSuchKey` to a caller who may ask.
    func getObjectTorrent(_ address: ObjectAddress) throws(S3Error) -> Response {
        _ = try addressedObject(address, in: try bucket(address.bucket), .getObjectTorrent)
        throw .noSuchKey(address.key)
    }
}
