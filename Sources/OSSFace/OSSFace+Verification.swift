package import Calls
package import Federation
import RequestSigning

extension OSSFace {
    /// Returns every check that OSS makes of the signature of a presigned request.
    /// - Parameter bucketFromHost: the bucket that the host names; `nil` if the path contains it.
    /// - Returns: `nil` for a request that is not signed.
    package func verification(of call: Call, bucketFromHost: String?) -> RequestVerification? {
        do {
            let address = try OSSAddress(path: call.path, bucketFromHost: bucketFromHost)
            guard
                let signature = authenticator.verification(
                    of: call.signable, resource: OSSResource(bucket: address.bucket, key: address.key))
            else { return nil }
            var verification = RequestVerification(signature) { .init(OSSError($0, isPresigned: true)) }
            if let region = signature.authenticated?.region {
                verification.append(
                    "region", isOfAnotherRegion(region, bucket: address.bucket, call) ? .init(.signingRegion(isPresigned: true)) : nil)
            }
            return verification
        } catch {
            return RequestVerification(checks: [ServiceCheck(name: "request", refusal: .init(error))], caller: nil)
        }
    }
}

extension ServiceCheck.Refusal {
    fileprivate init(_ error: OSSError) { self.init(code: error.code, message: error.message) }
}
