package import Cloud
import Federation
import HTTPTypes
package import Logging
package import ObjectServing
import Policy
import WireFormats

/// Delivers events of S3 to queues and topics that another server has, if their policies allow S3 to.
/// (S3 User Guide, "Granting permissions to publish event notification messages to a destination".)
package struct EventGateway: Sendable {
    private let cloud: Cloud
    private let upstreams: Upstreams
    private let reader: ResourceReader
    private let logger: Logger

    /// - Parameters:
    ///   - logger: receives the events that are dropped because a policy does not allow their delivery.
    ///   - send: sends requests to upstreams.
    package init(cloud: Cloud, rules: GatewayRules, logger: Logger, send: @escaping UpstreamSend) {
        self.cloud = cloud
        self.logger = logger
        upstreams = rules.upstreams
        reader = ResourceReader(client: UpstreamClient(rules, send: send), policies: rules.policies)
    }

    /// The queues and topics of forwarded services.
    package var targets: ForwardedTargets {
        ForwardedTargets(has: { destination($0) != nil }, obstacle: { await obstacle(to: $0, from: $1) })
    }

    /// A queue or topic of a forwarded service.
    private struct Destination {
        let lookUp: ResourceLookUp
        let place: OwnRequestPlace

        /// The action that the policy must allow.
        var action: String { lookUp.service == "sqs" ? "sqs:SendMessage" : "sns:Publish" }
    }

    /// Returns the queue or topic with an ARN; `nil` if its service is not forwarded.
    private func destination(_ arn: String) -> Destination? {
        guard let lookUp = ResourceLookUp(arn), ["sqs", "sns"].contains(lookUp.service),
            let upstream = upstreams.url(signing: lookUp.service), let origin = Origin(url: upstream)
        else { return nil }
        return Destination(
            lookUp: lookUp,
            place: OwnRequestPlace(
                upstream: upstream, authority: origin.authority, origin: upstream, time: cloud.clock.wall, client: nil))
    }

    /// Returns why S3 cannot deliver events of a bucket to an ARN; `nil` if it can.
    private func obstacle(to arn: String, from source: EventSource) async -> ForwardedTargets.Obstacle? {
        guard let destination = self.destination(arn) else { return .missing }
        let access: ResourceAccess
        do {
            access = try await reader.access(by: destination.lookUp, destination.place)
        } catch {
            return .unreachable((error as? UpstreamFailure)?.cause ?? "\(error)")
        }
        if !access.exists { return .missing }
        if access.fault != nil { return .forbidden }
        let verdict = Authorizer.decide(
            destination.action, on: arn, ownedBy: destination.lookUp.account, policy: access.policy,
            by: ServiceCaller(
                principal: "s3.amazonaws.com", sourceARN: source.arn, sourceAccount: source.account, region: source.region),
            facts: RequestFacts(
                time: cloud.clock.now, ages: cloud.clock.ages, isSecure: true, userAgent: nil, region: source.region, sourceIP: { nil }))
        return verdict.decision.isAllowed ? nil : .forbidden
    }

    /// Delivers a message.
    /// - Returns: whether no further attempt is needed: the service accepted the message, or will not by its policy.
    package func deliver(_ parcel: EventParcel) async -> Bool {
        guard let source = parcel.source, let destination = self.destination(parcel.url) else { return true }
        switch await obstacle(to: parcel.url, from: source) {
        case .unreachable: return false
        case .missing, .forbidden:
            logger.warning(
                "An event is dropped: its destination does not exist, or does not allow S3 to deliver",
                metadata: ["destination": "\(parcel.url)"])
            return true
        case nil: break
        }
        let (lookUp, place) = (destination.lookUp, destination.place)
        let request = lookUp.deliveryRequest(String(decoding: parcel.body, as: UTF8.self), origin: place.origin)
        let answer = try? await reader.client.ask(request, account: lookUp.account, region: lookUp.region, place)
        return answer?.isSuccessful ?? false
    }
}

extension ResourceLookUp {
    /// Returns the request that delivers a message of S3 to a queue or topic.
    /// - Parameter origin: the origin of the URLs of queues.
    fileprivate func deliveryRequest(_ message: String, origin: String) -> OwnRequest {
        if service == "sqs" {
            return OwnRequest(
                service, json: "AmazonSQS.SendMessage", version: "1.0",
                ["QueueUrl": .string("\(origin)/\(account)/\(name)"), "MessageBody": .string(message)])
        }
        return OwnRequest(
            service,
            form: [
                "Action": "Publish", "Version": "2010-03-31", "TopicArn": holder, "Subject": "Amazon S3 Notification",
                "Message": message,
            ])
    }
}
