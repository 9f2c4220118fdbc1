import Cloud
import RequestSigning
import WireFormats

extension S3Error {
    /// Creates the error for a body with invalid `aws-chunked` coding or chunk signatures.
    /// - Parameter canonicalRequest: the canonical request, which S3 reports for a chunk too.
    init(_ error: ChunkError, accessKeyID: String?, canonicalRequest: (() -> [UInt8])?) {
        self =
            switch error {
            case .malformed, .incomplete: S3Error(.incompleteBody, "The request body terminated unexpectedly")
            case .malformedTrailer, .missingTrailer: S3Error(.malformedTrailer)
            case .signatureMismatch(_, let mismatch):
                S3Error(mismatch.with(canonicalRequest: canonicalRequest?()), accessKeyID: accessKeyID ?? "")
            case .chunkTooSmall(let chunk, let size):
                S3Error(.invalidChunkSize, nil, ["Chunk": String(chunk), "BadChunkSize": String(size)])
            case .decodedLength(let declared, let provided): .incompleteBody(expected: Int64(declared), provided: Int64(provided))
            }
    }

    /// Returns the error for a body of another length than the request declares.
    static func incompleteBody(expected: Int64, provided: Int64) -> S3Error {
        S3Error(.incompleteBody, nil, ["NumberBytesExpected": String(expected), "NumberBytesProvided": String(provided)])
    }
}

extension SignatureMismatch {
    fileprivate func with(canonicalRequest: [UInt8]?) -> SignatureMismatch {
        var mismatch = self
        mismatch.canonicalRequest = canonicalRequest
        return mismatch
    }
}
