import Calls
import Federation
import HTTPTypes

extension QueryService {
    /// Refuses a call to one of AWS's own hosts that is signed for another region than the host's; names of this process have none.
    /// (The text is observed of the real services.)
    func checkRegion(_ signed: String?, of call: QueryCall) throws(QueryError) {
        guard let signed, let region = ServiceHost(call.http.host)?.region(of: name), signed != region else { return }
        throw QueryError("SignatureDoesNotMatch", .forbidden, "Credential should be scoped to a valid region. ")
    }
}
