import RequestSigning
import WireFormats

extension S3Error {
    /// Creates the error for a body with invalid `aws-chunked` coding or chunk signatures.
    init(_ error: ChunkError, accessKeyID: String?) {
        self =
            switch error {
            case .malformed, .incomplete: S3Error(.incompleteBody, "The request body terminated unexpectedly")
            case .malformedTrailer, .missingTrailer: S3Error(.malformedTrailer)
            case .signatureMismatch(_, let stringToSign, let signatureProvided):
                S3Error(
                    .signatureDoesNotMatch, nil,
                    [
                        "AWSAccessKeyId": accessKeyID ?? "", "StringToSign": stringToSign,
                        "SignatureProvided": signatureProvided,
                    ])
            case .chunkTooSmall(let chunk, let size):
                S3Error(.invalidChunkSize, nil, ["Chunk": String(chunk), "BadChunkSize": String(size)])
            case .decodedLength: S3Error(.incompleteBody)
            }
    }
}
