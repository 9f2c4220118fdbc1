import Exchange
import HTTPTypes

extension QueryService {
    /// Refuses a call to one of AWS's own hosts that is signed for another region than the host's; names of this process have none.
    /// (AWS General Reference, "AWS Security Token Service endpoints", "AWS Identity and Access Management endpoints": the global ones
    /// are those of us-east-1. The text is observed of the real services.)
    func checkRegion(_ signed: String?, of call: QueryCall) throws(QueryError) {
        guard let signed, let region = self.region(ofHost: call.exchange.host), signed != region else { return }
        throw QueryError("SignatureDoesNotMatch", .forbidden, "Credential should be scoped to a valid region. ")
    }

    /// The region of `<service>[-fips][.<region>].amazonaws.com`; nothing for another host.
    private func region(ofHost host: String) -> Substring? {
        guard host.hasPrefix(name), host.hasSuffix(".amazonaws.com") || host.hasSuffix(".amazonaws.com.cn") else { return nil }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels[0] == name || labels[0] == "\(name)-fips" else { return nil }
        switch labels.count {
        case 3 where labels[2] == "com": return "us-east-1"
        // IAM's other hosts are named after partitions as well.
        case 4 where labels[3] == "com" && name == "sts", 5 where name == "sts": return labels[1]
        default: return nil
        }
    }
}
