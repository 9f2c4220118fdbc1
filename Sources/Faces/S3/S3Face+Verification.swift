package import Calls
package import Cloud
package import Federation
import HTTPTypes
import ObjectServing
import WireFormats

extension S3Face {
    /// Returns every check that S3 makes of a presigned request before it asks for permission.
    /// - Parameter bucketFromHost: the bucket of a virtual-hosted request; `nil` if the path contains it.
    /// - Returns: `nil` for a request that is not signed.
    package func verification(of call: Call, bucketFromHost: String?) -> RequestVerification? {
        do throws(S3Error) {
            if dialect == .aws { try call.checkHeaderSection() }
            guard let query = call.queryFields else { throw S3Error(.invalidURI) }
            var headers = call.headers
            headers.append(presignedIn: query)
            let names = try S3Operation.address(path: call.path, bucketFromHost: bucketFromHost)
            let operation = try S3Operation(method: call.method, address: names, query: query, headers: headers)
            if dialect == .aws { try operation.check(query) }
            let region = try signingRegion(for: call, operation, bucket: names.bucket, bucketFromHost)
            guard
                let signature = authenticator.verification(of: call.signable, service: "s3", bucket: bucketFromHost, region: region)
            else { return nil }
            var verification = RequestVerification(signature) { ServiceCheck.Refusal(refusal(for: $0, call, bucketFromHost)) }
            if signature.authenticated?.version == .v2 {
                verification.append("version", Self.refusal { () throws(S3Error) in try Self.checkVersion2(in: region) })
            }
            verification.append(
                "parameters",
                Self.refusal { () throws(S3Error) in try operation.check(headers, method: call.method, dialect) })
            return verification
        } catch {
            return RequestVerification(checks: [ServiceCheck(name: "request", refusal: .init(error))], caller: nil)
        }
    }

    /// Returns every check that S3 makes of the policy of a form by itself.
    /// - Parameter text: the document in base64.
    package static func checks(ofPostPolicy text: String, by clock: SandboxClock) -> [ServiceCheck] {
        do throws(S3Error) {
            let policy = try PostPolicy(s3: text)
            let isExpired = policy.isExpired(signed: policy.signed, by: clock)
            return [
                ServiceCheck(name: "document"),
                ServiceCheck(name: "times", refusal: refusal { () throws(S3Error) in try PostPolicy.checkEnd(isExpired: isExpired) }),
            ]
        } catch {
            return [ServiceCheck(name: "document", refusal: .init(error))]
        }
    }

    private static func refusal(of check: () throws(S3Error) -> Void) -> ServiceCheck.Refusal? {
        do throws(S3Error) {
            try check()
            return nil
        } catch { return .init(error) }
    }
}

extension ServiceCheck.Refusal {
    fileprivate init(_ error: S3Error) { self.init(code: error.code.rawValue, message: error.message) }
}
