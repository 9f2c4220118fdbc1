import WireFormats

extension PolicyDocument {
    /// Rejects a trust policy that names a service, or an action of STS, that AWS does not know. IAM checks this when a policy is saved.
    package func checkNames() throws(PolicySyntaxError) {
        for (index, statement) in statements.enumerated() {
            if case .only(let patterns) = statement.actions {
                for pattern in patterns
                where !STSActions.all.contains(where: { pattern.matches($0, letterCase: .isIgnored, in: ConditionKeys()) }) {
                    throw PolicySyntaxError(
                        "AssumeRole policy may only specify STS AssumeRole actions.", at: "Statement[\(index)].Action",
                        "There is no action \"\(pattern.source)\".")
                }
            }
            guard case .named(let principals) = statement.principals else { continue }
            for case .service(let name) in principals where !ServicePrincipals.isKnown(name) {
                throw PolicySyntaxError(
                    PolicyParser.invalidPrincipal("SERVICE", name), at: "Statement[\(index)].Principal", "There is no such service.")
            }
        }
    }
}

/// The actions of STS. (Service Authorization Reference, "AWS Security Token Service".)
private enum STSActions {
    static let all = [
        "AssumeRole", "AssumeRoleWithSAML", "AssumeRoleWithWebIdentity", "AssumeRoot", "DecodeAuthorizationMessage", "GetAccessKeyInfo",
        "GetCallerIdentity", "GetDelegatedAccessToken", "GetFederationToken", "GetScopedCredentials", "GetServiceBearerToken",
        "GetSessionToken", "GetWebIdentityToken", "SetContext", "SetSourceIdentity", "SetWebIdentityTokenScope", "TagGetWebIdentityToken",
        "TagSession",
    ].map { "sts:\($0)" }
}

/// The principals of AWS's services. AWS publishes no complete list, so endpoints of services count as well, and names below a known one,
/// such as `tasks.apprunner.amazonaws.com`: a role of a real service must not be refused.
enum ServicePrincipals {
    /// Returns whether a service has a name, such as `ec2.amazonaws.com` or, in one region, `logs.eu-west-1.amazonaws.com`.
    static func isKnown(_ name: String) -> Bool {
        // Only this domain has a list.
        guard let domain = domains.first(where: { name.hasSuffix($0) }) else { return true }
        var labels = name.dropLast(domain.utf8.count)
        if let dot = labels.lastIndex(of: "."), isRegion(labels[labels.index(after: dot)...]) { labels = labels[..<dot] }
        while !known.contains(labels) {
            guard let dot = labels.firstIndex(of: "."), dot > labels.startIndex else { return false }
            labels = labels[labels.index(after: dot)...]
        }
        return true
    }

    private static let domains = [".amazonaws.com", ".amazonaws.com.cn"]

    /// Returns whether a label has the form of a region: `eu-west-1`.
    private static func isRegion(_ label: Substring) -> Bool {
        let parts = label.split(separator: "-")
        return parts.count > 2 && parts[0].utf8.count == 2 && parts[parts.count - 1].utf8.allSatisfy { 0x30...0x39 ~= $0 }
    }

    private static let known: Set<Substring> = Set(
        """
        a4b abuse access-analyzer access-grants.s3 account account-access account-access-runtime accountdiscovery.ssm acm
        acm-pca aco-automation agent-discovery agent-registry agent-registry-control agent.wellarchitected agentless.inspector2
        agreement-marketplace aidevops aiops airflow airflow-env airflow-serverless alexa-appkit amazonmq ami.inspector2 amplify
        amplifybackend amplifyuibuilder aoss apidestinations.events apigateway apiportal app-integrations appconfig
        appconfig.ssm appconfigdata appfabric appflow application-autoscaling application-cost-profiler application-insights
        application-signals application-signals.cloudwatch application-transformation applicationinsights appmesh
        appmesh-preview apprunner appstream appstream.application-autoscaling appstream2 appsync apptest aps arc-region-switch
        arc-zonal-shift artifact assets.marketplace athena auditmanager automation autoscaling autoscaling-plans
        aws-artifact-account-sync aws-external-anthropic aws-marketplace awsconnector awsssoportal b2bi backup backup-gateway
        backup-search batch batchoperations.s3 bcm-dashboards bcm-data-exports bcm-pricing-calculator bcm-recommended-actions
        bedrock bedrock-agent bedrock-agent-runtime bedrock-agentcore bedrock-agentcore-control bedrock-data-automation
        bedrock-data-automation-runtime bedrock-flows bedrock-mantle bedrock-runtime billing billingconductor billingconsole
        billingreports bot.lex braket budgets bugbust cases cassandra cassandra-streams cassandra.application-autoscaling ce
        channels.lex channels.lexv2 chatbot chime cks.kms cleanrooms cleanrooms-ml cloud9 cloudcontrolapi clouddirectory
        cloudformation cloudfront cloudfront-keyvaluestore cloudhsm cloudhsmv2 cloudsearch cloudsearchdomain cloudtrail
        cloudtrail-data cloudwatch cloudwatch-crossaccount cloudwatch-omni codeartifact codebuild codecatalyst
        codecatalyst-runner codecommit codeconnections codedeploy codeguru-profiler codeguru-reviewer codeguru-security
        codepipeline codestar codestar-connections codestar-notifications codewhisperer cognito-identity cognito-identity-us-gov
        cognito-idp cognito-sync comprehend comprehend.application-autoscaling comprehendmedical compute-optimizer config
        config-conforms config-multiaccountsetup connect connect-campaigns contact-lens context.cloudtrail
        continuousexport.discovery continuum contract.iq contributorinsights.dynamodb controlcatalog controltower
        cost-optimization-hub cost-optimization-hub.bcm costalerts credentials.deadline credentials.iot cur
        custom-resource.application-autoscaling custom.rds custom.rds-preview customer-profiles data-signer databrew
        dataexchange datapipeline datasync datazone dax deadline deeplens deliver.logs delivery.logs deployment-marketplace
        detective developer.iot devicefarm devops-guru diode directconnect directquery.opensearchservice discovery
        discovery-marketplace dlm dms dms-data-migrations dms-fleet-advisor dmsintegration.migrationhub docdb-elastic drs ds
        ds-data dsql dynamodb dynamodb.application-autoscaling ebs ec ec2 ec2-images ec2-instance-connect
        ec2.application-autoscaling ec2.application-status-checks ec2.capacitymanager ec2fastlaunch ec2fleet ec2scheduled
        ec2spot ec2sqlha ecr ecr-public ecs ecs-compute ecs-tasks ecs.application-autoscaling edgelambda eks eks-auth
        eks-connector eks-fargate eks-fargate-pods eks-nodegroup elasticache elasticache-snapshot
        elasticache.application-autoscaling elasticbeanstalk elasticfilesystem elasticloadbalancing
        elasticloadbalancing-application elasticmapreduce elastictranscoder elemental-inference email email.cognito-idp
        emr-containers emr-serverless emrwal end-user-messaging entityresolution es event-processor.health eventbridge events
        events.managedservices events.workmail eventsv2 evidently evs execute-api export.dynamodb export.rds finops-agent
        finspace firehose fis fleetwise.iot fms forecast forecastquery frauddetector freertos freetier fsx galaxy gamelift
        gameliftstreams geo geo-maps geo-places geo-routes glacier globalaccelerator glue grafana greengrass groundstation
        guardduty health health-agent healthlake honeycode iam iam-toolbox identity-chime identity.deadline identitystore
        imagebuilder importexport inspector inspector-scan inspector2 interconnect internetmonitor invoicing iot iot-jobs-data
        iot1click iotanalytics iotdata iotdeviceadvisor iotevents iotfleethub iotfleetwise iotmanagedintegrations iotroborunner
        iotsitewise iotthingsgraph iottwinmaker iotwireless ipam ivs ivschat ivsrealtime jellyfish job.sagemaker
        justintimeaccess.ssm kafka kafka.application-autoscaling kafkaconnect kendra kendra-ranking kinesis kinesisanalytics
        kinesisreplication.dynamodb kinesisvideo kms lakeformation lambda lambda.application-autoscaling launchwizard lex lexv2
        license-management.marketplace license-manager license-manager-linux-subscriptions license-manager-user-subscriptions
        license-manager.master-account license-manager.member-account lightsail logger.cloudfront logging.s3 logs
        lookoutequipment lookoutmetrics lookoutvision m2 machinelearning macie macie2 mail-manager maintenance.elasticbeanstalk
        malware-protection-plan.guardduty malware-protection.guardduty managedblockchain managedblockchain-query managedservices
        managedupdates.elasticbeanstalk marketplace marketplacecommerceanalytics media-pipelines-chime mediaconnect mediaconvert
        medialive mediapackage mediapackage-vod mediapackagev2 mediastore mediatailor medical-imaging meetings-chime
        meetings.chime member.org.stacksets.cloudformation memory-db memorydb messaging-chime metering-marketplace
        metrics.wellarchitected mgh mgn migrationhub migrationhub-config migrationhub-orchestrator migrationhub-strategy
        mobileanalytics mobilehub mobiletargeting models-v2-lex monitoring monitoring.rds monitoring.thinclient monitron mpa mq
        mrk.kms mturk-requester neptune-db neptune-graph neptune.application-autoscaling network-connectors.lambda
        network-firewall network-security-director network-security-manager network.bedrock-agentcore networkflowmonitor
        networkmanager networkmonitor nimble notifications notifications-contacts notifications.ssm nova-act oam
        observability.aoss observabilityadmin odb oidc omics opensearchservice ops.apigateway ops.emr-serverless opsdatasync.ssm
        opsinsights.ssm opsworks opsworks-cm organizations orgsdatasync.servicecatalog osis osis-pipelines osm outposts
        outposts.eks-local panorama partnercentral partnercentral-account partnercentral-account-management
        partnercentral-benefits partnercentral-channel partnercentral-marketing partnercentral-prm partnercentral-selling
        payment-cryptography payments pca-connector-ad pca-connector-scep pcs permission.iq personalize personalize-events
        personalize-runtime pi pinpoint pipes pods.eks polly practice-run.arc-zonal-shift preview.bedrock pricing
        pricingplanmanager private-marketplace.marketplace profile proton pullthroughcache.ecr purchaseorders q qapps qbusiness
        qdeveloper qldb quicksight ram rbin rds rds-data rds-preview rds.application-autoscaling redshift redshift-data
        redshift-serverless refactor-spaces rekognition remediation.config replication.cassandra replication.dynamodb
        replication.ecr replication.lexv2 replication.s3tables replicator.lambda reporting-marketplace reporting.trustedadvisor
        reports.ce repository.sync.codeconnections repostspace resale-authorization.marketplace researchstudio resiliencehub
        resource-explorer-2 resource-groups resource-snapshot-job.partnercentral-selling restore-testing.backup robomaker
        rolesanywhere route53 route53-recovery-cluster route53-recovery-control-config route53-recovery-readiness route53domains
        route53globalresolver route53profiles route53resolver rtbfabric rum runtime-identity.bedrock-agentcore
        runtime-instances.bedrock-agentcore runtime-v2-lex runtime.sagemaker s3 s3-control s3-outposts s3.data-source.lustre.fsx
        s3files s3tables s3vectors sagemaker sagemaker-geospatial sagemaker.application-autoscaling savingsplans scaler.lambda
        scheduler schema-conversion.dms schemas scn scraper.aps sdb secretsmanager security-ir securityagent securityhub
        securityhubv2 securitylake self-managed-vpce.osis serverlessrepo servicecatalog servicecatalog-appregistry
        servicediscovery servicequotas ses shield signer signin simspaceweaver sitewise.iot sms sms-voice
        smsintegration.migrationhub snow-device-management snowball sns social-messaging spot spotfleet sqlworkbench sqs ssm
        ssm-contacts ssm-guiconnect ssm-incidents ssm-maintenance ssm-quicksetup ssm-sap ssm.integrations sso sso-oauth
        stacksets.cloudformation states storagegateway streams.metrics.cloudwatch sts supplychain support supportapp
        supportauthz supportplans sustainability swf sync.proton synthetics tagpolicies.tag tax
        telemetry-enablement.observabilityadmin telemetry-pipelines.observabilityadmin textract thinclient thirdparty.config
        thirdparty.inspector2 timestream timestream-influxdb tnb transcribe transfer transform transform-custom transitgateway
        translate triage.security-ir trustedadvisor tts user-subscriptions uxc vendor-insights verified-access
        verifiedpermissions vmie voice-chime voiceid vpc-flow-logs vpc-lattice vpcorigin.cloudfront waf waf-regional wafv2 wam
        wellarchitected wickr wisdom workdocs worklink workmail workmailmessageflow workspaces workspaces-instances
        workspaces-thin-client workspaces-web workspaces.application-autoscaling xray
        """.split { $0.isWhitespace })
}
