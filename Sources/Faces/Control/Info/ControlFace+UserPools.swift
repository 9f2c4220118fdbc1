import Calls
import Cloud
import ControlDocuments
import Directory
import HTTPTypes
import WireFormats

extension ControlFace {
    /// `GET /_virga/user-pools/codes`: lists the codes and temporary passwords that user pools sent, the newest first.
    func listUserPoolCodes(_ call: Call) throws(ControlError) -> Response {
        guard let query = call.queryFields, query.fields.allSatisfy({ $0.name == "pool" || $0.name == "user" }) else {
            throw ControlError(.badRequest, "unknown_filter", "The only filters are 'pool' and 'user'.")
        }
        let (clock, pools) = (call.cloud.clock, call.cloud.directory.userPools)
        var found: [(sent: Timestamp, document: Document<UserPoolCodeMembers>)] = []
        let (id, name) = (query.first("pool"), query.first("user"))
        for pool in pools.pools where id.map({ $0 == pool.id }) ?? true {
            let wanted = name.map { pools.user(signingInAs: $0, in: pool)?.sub ?? "" }
            for user in pools.users(of: pool.id) where wanted.map({ $0 == user.sub }) ?? true {
                for code in user.codes { found.append((code.sent, Self.document(code, of: user, by: clock))) }
            }
        }
        let sorted = found.sorted { $0.sent > $1.sent }
        return .json(Document<UserPoolCodeListMembers> { [$0.codes(sorted.map(\.document))] }.json)
    }

    private static func document(
        _ code: UserPoolCode, of user: UserPoolUser, by clock: SandboxClock
    ) -> Document<UserPoolCodeMembers> {
        Document {
            [
                $0.pool(user.pool), $0.user(user.username), $0.purpose(code.purpose.rawValue), $0.medium(code.medium.rawValue),
                $0.destination(code.destination), $0.code(code.code), $0.sent(clock.effective(code.sent).iso8601),
                $0.expires(clock.effectiveExpiry(code.expires, issuedAt: code.sent).iso8601), $0.subject(code.subject),
                $0.message(code.message),
            ]
        }
    }
}
