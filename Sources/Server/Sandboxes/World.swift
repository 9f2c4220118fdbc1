import Calls
import Cloud
import ConsoleFace
import ControlFace
import Federation
import GatewayFace
import HTTPTypes
import OSSFace
import ObjectServing
import ObjectStore
import S3Face
import Seeds
import Synchronization
import WireFormats

/// The open state of a sandbox: its cloud, its front door and its background work.
///
/// A restore replaces the world of a sandbox. Running requests keep the old one, which ends with the last of them.
final class World: Sendable {
    /// The cloud.
    let cloud: Cloud
    /// Answers requests.
    let door: FrontDoor
    private let events: EventOutbox
    /// Delivers events to queues and topics of forwarded services.
    private let gateway: EventGateway?
    private let lifecycle: LifecycleRunner
    private let logDelivery: AccessLogDelivery
    private let outbound: OutboundClient
    private let delivery = Mutex<Task<Void, Never>?>(nil)

    /// - Parameters:
    ///   - names: the host names of the sandbox.
    ///   - access: the access rules of its control API.
    ///   - console: the web console; `nil` if it is off.
    ///   - keeper: manages the sandboxes of the process, and the process.
    ///   - enter: answers requests that the sandbox itself sends to this process.
    /// - Throws: an error of the storage.
    init(
        cloud: Cloud, names: HostNames, access: ControlAccess, console: ConsoleFace? = nil, services: SharedServices,
        keeper: any SandboxKeeper & ServerProcess, enter: @escaping OutboundClient.Enter
    ) {
        let (settings, logger) = (services.settings, services.logger)
        let gateway = settings.gateway.map { [network = services.network] rules in
            EventGateway(cloud: cloud, rules: rules, logger: logger) { try await network.forward($0) }
        }
        let events = EventOutbox(
            targets: cloud.eventTargets.merging(settings.eventTargets) { $1 }, forwarded: gateway?.targets, logger: logger)
        let lifecycle = LifecycleRunner(
            cloud: cloud, calendar: LifecycleCalendar(secondsPerDay: settings.lifecycleDay),
            rules: [LifecycleConfiguration.ofS3, LifecycleConfiguration.ofOSS], logger: logger
        ) { event, bucket in events.send(event, of: bucket) }
        let accessLog = AccessLog(logger: logger)
        let logDelivery = AccessLogDelivery(cloud: cloud, log: accessLog, logger: logger)
        let outbound = OutboundClient(cloud: cloud, names: names, network: services.network, enter: enter)
        self.cloud = cloud
        self.events = events
        self.gateway = gateway
        self.lifecycle = lifecycle
        self.logDelivery = logDelivery
        self.outbound = outbound
        door = FrontDoor(
            cloud: cloud, names: names,
            services: SandboxServices(
                events: events, accessLog: accessLog, issuers: ForeignIssuers(cloud: cloud) { try await outbound.fetch($0) },
                applications: Applications(fetch: { try await outbound.fetch($0) }, post: { try await outbound.post($0, form: $1) }),
                outbound: { try await outbound.send($0) }, forward: { [network = services.network] in try await network.forward($0) },
                logger: logger
            ) {
                // Logs are delivered first, so that lifecycle rules can expire them.
                await logDelivery.deliver()
                await lifecycle.carryOut()
            },
            control: ControlServices(
                access: access, console: console, authority: services.authority, isReady: settings.isReady, sandboxKeeper: keeper,
                process: keeper),
            rules: ServiceRules(
                dialect: settings.dialect, admitsForeignPages: settings.admitsForeignPages,
                servesDenied: settings.authorization == .report, regions: settings.regions ?? cloud.regionRule,
                keyService: settings.keyService, gateway: settings.gateway),
            observers: RequestObservers(
                requestLog: settings.requestLog, requests: services.requests, observe: settings.observe))
    }

    deinit { delivery.withLock { $0?.cancel() } }

    /// Starts to deliver the events of buckets.
    func start() {
        delivery.withLock { delivery in
            guard delivery == nil else { return }
            let (events, outbound, gateway) = (events, outbound, gateway)
            delivery = Task {
                await events.deliver { parcel in
                    if parcel.source != nil, let gateway { return await gateway.deliver(parcel) }
                    return await outbound.deliver(parcel)
                }
            }
        }
    }

    /// Applies the lifecycle rules that are due.
    func applyLifecycleRules() async { await lifecycle.carryOut() }

    /// Writes the waiting lines of access logs.
    func deliverLogs() async { await logDelivery.deliver() }

    /// Stops the delivery of events. Those that wait are lost.
    func stop() async {
        let task = delivery.withLock { delivery in
            defer { delivery = nil }
            return delivery
        }
        task?.cancel()
        await task?.value
    }
}
