package import Calls
package import Cloud
package import Federation
import ObjectServing
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

    /// Returns every check that OSS makes of the policy of a form by itself.
    /// - Parameter text: the document in base64.
    package static func checks(ofPostPolicy text: String, by clock: SandboxClock) -> [ServiceCheck] {
        var times = ServiceCheck(name: "times")
        do throws(OSSError) {
            let policy = try PostPolicy(oss: text)
            do throws(OSSError) {
                try PostPolicy.checkEnd(isExpired: policy.isExpired(signed: policy.signed, by: clock))
            } catch { times.refusal = .init(error) }
            return [ServiceCheck(name: "document"), times]
        } catch {
            return [ServiceCheck(name: "document", refusal: .init(error))]
        }
    }
}

extension ServiceCheck.Refusal {
    fileprivate init(_ error: OSSError) { self.init(code: error.code, message: error.message) }
}
