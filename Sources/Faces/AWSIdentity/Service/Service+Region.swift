import Calls
import Federation
import HTTPTypes
import WireFormats

extension Service {
    /// Rejects a call to one of AWS's own hosts that is signed for another region than the host's. Virga's own hosts have no region.
    /// (The message is observed of the real services.)
    func checkRegion(_ signed: String?, of call: ServiceCall) throws(ServiceError) {
        guard let signed, let region = ServiceHost(call.http.host)?.region(of: name), signed != region else { return }
        throw ServiceError("SignatureDoesNotMatch", .forbidden, "Credential should be scoped to a valid region. ")
    }
}
