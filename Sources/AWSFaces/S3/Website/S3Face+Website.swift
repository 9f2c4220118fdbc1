package import Exchange

extension S3Face {
    /// Answers at the website endpoint of a bucket, for now as the REST endpoint does.
    package func respondAsWebsite(to exchange: Exchange, bucket: String) async -> Response {
        await respond(to: exchange, bucketFromHost: bucket)
    }
}
