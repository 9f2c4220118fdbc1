/// The role that a service has in an account.
/// (IAM User Guide, "AWS services that work with IAM"; policies and descriptions are those of the real service.)
struct ServiceLinkedRole {
    var name: String
    /// The name of its policy, whose path is `/aws-service-role/`.
    var policy: String
    /// Whether an account can have several, distinguished by a suffix.
    var takesSuffix = false
    /// The role's description if the caller passes none.
    var description: String?

    var policyARN: String { "arn:aws:iam::aws:policy/aws-service-role/\(policy)" }

    static let byService: [String: ServiceLinkedRole] = [
        "access-analyzer.amazonaws.com": .init(name: "AWSServiceRoleForAccessAnalyzer", policy: "AccessAnalyzerServiceRolePolicy"),
        "accountdiscovery.ssm.amazonaws.com": .init(
            name: "AWSServiceRoleForAmazonSSM_AccountDiscovery", policy: "AWSSystemsManagerAccountDiscoveryServicePolicy"),
        "acm.amazonaws.com": .init(name: "AWSServiceRoleForCertificateManager", policy: "CertificateManagerServiceRolePolicy"),
        "appmesh.amazonaws.com": .init(name: "AWSServiceRoleForAppMesh", policy: "AWSAppMeshServiceRolePolicy"),
        "autoscaling-plans.amazonaws.com": .init(
            name: "AWSServiceRoleForAutoScalingPlans_EC2AutoScaling", policy: "AWSAutoScalingPlansEC2AutoScalingPolicy"),
        "autoscaling.amazonaws.com": .init(name: "AWSServiceRoleForAutoScaling", policy: "AutoScalingServiceRolePolicy", takesSuffix: true),
        "backup.amazonaws.com": .init(name: "AWSServiceRoleForBackup", policy: "AWSBackupServiceLinkedRolePolicyForBackup"),
        "batch.amazonaws.com": .init(name: "AWSServiceRoleForBatch", policy: "BatchServiceRolePolicy"),
        "cassandra.application-autoscaling.amazonaws.com": .init(
            name: "AWSServiceRoleForApplicationAutoScaling_CassandraTable", policy: "AWSApplicationAutoscalingCassandraTablePolicy"),
        "cks.kms.amazonaws.com": .init(
            name: "AWSServiceRoleForKeyManagementServiceCustomKeyStores", policy: "AWSKeyManagementServiceCustomKeyStoresServiceRolePolicy"),
        "cloudtrail.amazonaws.com": .init(name: "AWSServiceRoleForCloudTrail", policy: "CloudTrailServiceRolePolicy"),
        "codestar-notifications.amazonaws.com": .init(
            name: "AWSServiceRoleForCodeStarNotifications", policy: "AWSCodeStarNotificationsServiceRolePolicy"),
        "config.amazonaws.com": .init(name: "AWSServiceRoleForConfig", policy: "AWSConfigServiceRolePolicy"),
        "connect.amazonaws.com": .init(
            name: "AWSServiceRoleForAmazonConnect", policy: "AmazonConnectServiceLinkedRolePolicy", takesSuffix: true),
        "dms-fleet-advisor.amazonaws.com": .init(name: "AWSServiceRoleForDMSFleetAdvisor", policy: "AWSDMSFleetAdvisorServiceRolePolicy"),
        "dms.amazonaws.com": .init(name: "AWSServiceRoleForDMSServerless", policy: "AWSDMSServerlessServiceRolePolicy"),
        "docdb-elastic.amazonaws.com": .init(name: "AWSServiceRoleForDocDB-Elastic", policy: "AmazonDocDB-ElasticServiceRolePolicy"),
        "ec2-instance-connect.amazonaws.com": .init(name: "AWSServiceRoleForEc2InstanceConnect", policy: "Ec2InstanceConnectEndpoint"),
        "ec2.application-autoscaling.amazonaws.com": .init(
            name: "AWSServiceRoleForApplicationAutoScaling_EC2SpotFleetRequest",
            policy: "AWSApplicationAutoscalingEC2SpotFleetRequestPolicy"),
        "ecr.amazonaws.com": .init(name: "AWSServiceRoleForECRTemplate", policy: "ECRTemplateServiceRolePolicy"),
        "ecs.amazonaws.com": .init(name: "AWSServiceRoleForECS", policy: "AmazonECSServiceRolePolicy"),
        "eks-connector.amazonaws.com": .init(name: "AWSServiceRoleForAmazonEKSConnector", policy: "AmazonEKSConnectorServiceRolePolicy"),
        "eks-fargate.amazonaws.com": .init(name: "AWSServiceRoleForAmazonEKSForFargate", policy: "AmazonEKSForFargateServiceRolePolicy"),
        "eks-nodegroup.amazonaws.com": .init(name: "AWSServiceRoleForAmazonEKSNodegroup", policy: "AWSServiceRoleForAmazonEKSNodegroup"),
        "eks.amazonaws.com": .init(name: "AWSServiceRoleForAmazonEKS", policy: "AmazonEKSServiceRolePolicy"),
        "elasticache.amazonaws.com": .init(name: "AWSServiceRoleForElastiCache", policy: "ElastiCacheServiceRolePolicy"),
        "elasticbeanstalk.amazonaws.com": .init(name: "AWSServiceRoleForElasticBeanstalk", policy: "AWSElasticBeanstalkServiceRolePolicy"),
        "elasticfilesystem.amazonaws.com": .init(
            name: "AWSServiceRoleForAmazonElasticFileSystem", policy: "AmazonElasticFileSystemServiceRolePolicy"),
        "elasticloadbalancing.amazonaws.com": .init(
            name: "AWSServiceRoleForElasticLoadBalancing", policy: "AWSElasticLoadBalancingServiceRolePolicy"),
        "email.cognito-idp.amazonaws.com": .init(
            name: "AWSServiceRoleForAmazonCognitoIdpEmailService", policy: "AmazonCognitoIdpEmailServiceRolePolicy"),
        "emr-containers.amazonaws.com": .init(name: "AWSServiceRoleForAmazonEMRContainers", policy: "AmazonEMRContainersServiceRolePolicy"),
        "emrwal.amazonaws.com": .init(name: "AWSServiceRoleForEMRWAL", policy: "EMRDescribeClusterPolicyForEMRWAL"),
        "es.amazonaws.com": .init(name: "AWSServiceRoleForAmazonElasticsearchService", policy: "AmazonElasticsearchServiceRolePolicy"),
        "fis.amazonaws.com": .init(name: "AWSServiceRoleForFIS", policy: "AmazonFISServiceRolePolicy"),
        "grafana.amazonaws.com": .init(name: "AWSServiceRoleForAmazonGrafana", policy: "AmazonGrafanaServiceLinkedRolePolicy"),
        "guardduty.amazonaws.com": .init(name: "AWSServiceRoleForAmazonGuardDuty", policy: "AmazonGuardDutyServiceRolePolicy"),
        "imagebuilder.amazonaws.com": .init(name: "AWSServiceRoleForImageBuilder", policy: "AWSServiceRoleForImageBuilder"),
        "iotmanagedintegrations.amazonaws.com": .init(
            name: "AWSServiceRoleForIoTManagedIntegrations", policy: "AWSIoTManagedIntegrationsRolePolicy"),
        "kafka.amazonaws.com": .init(name: "AWSServiceRoleForKafka", policy: "KafkaServiceRolePolicy"),
        "kafkaconnect.amazonaws.com": .init(name: "AWSServiceRoleForKafkaConnect", policy: "KafkaConnectServiceRolePolicy"),
        "lakeformation.amazonaws.com": .init(
            name: "AWSServiceRoleForLakeFormationDataAccess", policy: "LakeFormationDataAccessServiceRolePolicy"),
        "lex.amazonaws.com": .init(name: "AWSServiceRoleForLexBots", policy: "AmazonLexBotPolicy"),
        "lexv2.amazonaws.com": .init(name: "AWSServiceRoleForLexV2Bots", policy: "AmazonLexV2BotPolicy", takesSuffix: true),
        "lightsail.amazonaws.com": .init(name: "AWSServiceRoleForLightsail", policy: "LightsailExportAccess"),
        "m2.amazonaws.com": .init(name: "AWSServiceRoleForAWSM2", policy: "AWSM2ServicePolicy"),
        "memorydb.amazonaws.com": .init(name: "AWSServiceRoleForMemoryDB", policy: "MemoryDBServiceRolePolicy"),
        "mq.amazonaws.com": .init(name: "AWSServiceRoleForAmazonMQ", policy: "AmazonMQServiceRolePolicy"),
        "mrk.kms.amazonaws.com": .init(
            name: "AWSServiceRoleForKeyManagementServiceMultiRegionKeys", policy: "AWSKeyManagementServiceMultiRegionKeysServiceRolePolicy"),
        "notifications.amazonaws.com": .init(
            name: "AWSServiceRoleForAwsUserNotifications", policy: "AWSUserNotificationsServiceLinkedRolePolicy"),
        "observability.aoss.amazonaws.com": .init(
            name: "AWSServiceRoleForAmazonOpenSearchServerless", policy: "AmazonOpenSearchServerlessServiceRolePolicy"),
        "opensearchservice.amazonaws.com": .init(
            name: "AWSServiceRoleForAmazonOpenSearchService", policy: "AmazonOpenSearchServiceRolePolicy"),
        "ops.apigateway.amazonaws.com": .init(name: "AWSServiceRoleForAPIGateway", policy: "APIGatewayServiceRolePolicy"),
        "ops.emr-serverless.amazonaws.com": .init(
            name: "AWSServiceRoleForAmazonEMRServerless", policy: "AmazonEMRServerlessServiceRolePolicy"),
        "opsdatasync.ssm.amazonaws.com": .init(
            name: "AWSServiceRoleForSystemsManagerOpsDataSync", policy: "AWSSystemsManagerOpsDataSyncServiceRolePolicy"),
        "opsinsights.ssm.amazonaws.com": .init(
            name: "AWSServiceRoleForAmazonSSM_OpsInsights", policy: "AWSSSMOpsInsightsServiceRolePolicy"),
        "organizations.amazonaws.com": .init(name: "AWSServiceRoleForOrganizations", policy: "AWSOrganizationsServiceTrustPolicy"),
        "pullthroughcache.ecr.amazonaws.com": .init(
            name: "AWSServiceRoleForECRPullThroughCache", policy: "AWSECRPullThroughCache_ServiceRolePolicy"),
        "ram.amazonaws.com": .init(name: "AWSServiceRoleForResourceAccessManager", policy: "AWSResourceAccessManagerServiceRolePolicy"),
        "rds.amazonaws.com": .init(
            name: "AWSServiceRoleForRDS", policy: "AmazonRDSServiceRolePolicy",
            description: "Allows Amazon RDS to manage AWS resources on your behalf"),
        "redshift.amazonaws.com": .init(name: "AWSServiceRoleForRedshift", policy: "AmazonRedshiftServiceLinkedRolePolicy"),
        "replication.cassandra.amazonaws.com": .init(
            name: "AWSServiceRoleForKeyspacesReplication", policy: "KeyspacesReplicationServiceRolePolicy"),
        "replication.dynamodb.amazonaws.com": .init(
            name: "AWSServiceRoleForDynamoDBReplication", policy: "DynamoDBReplicationServiceRolePolicy"),
        "replication.ecr.amazonaws.com": .init(name: "AWSServiceRoleForECRReplication", policy: "ECRReplicationServiceRolePolicy"),
        "repository.sync.codeconnections.amazonaws.com": .init(name: "AWSServiceRoleForGitSync", policy: "AWSGitSyncServiceRolePolicy"),
        "resource-explorer-2.amazonaws.com": .init(
            name: "AWSServiceRoleForResourceExplorer", policy: "AWSResourceExplorerServiceRolePolicy"),
        "rolesanywhere.amazonaws.com": .init(name: "AWSServiceRoleForRolesAnywhere", policy: "AWSRolesAnywhereServicePolicy"),
        "s3-outposts.amazonaws.com": .init(name: "AWSServiceRoleForS3OnOutposts", policy: "AWSS3OnOutpostsServiceRolePolicy"),
        "ses.amazonaws.com": .init(name: "AWSServiceRoleForAmazonSES", policy: "AmazonSESServiceRolePolicy"),
        "shield.amazonaws.com": .init(name: "AWSServiceRoleForAWSShield", policy: "AWSShieldServiceRolePolicy"),
        "spot.amazonaws.com": .init(name: "AWSServiceRoleForEC2Spot", policy: "AWSEC2SpotServiceRolePolicy"),
        "spotfleet.amazonaws.com": .init(name: "AWSServiceRoleForEC2SpotFleet", policy: "AWSEC2SpotFleetServiceRolePolicy"),
        "ssm-incidents.amazonaws.com": .init(name: "AWSServiceRoleForIncidentManager", policy: "AWSIncidentManagerServiceRolePolicy"),
        "ssm-quicksetup.amazonaws.com": .init(name: "AWSServiceRoleForSSMQuickSetup", policy: "SSMQuickSetupRolePolicy"),
        "ssm.amazonaws.com": .init(
            name: "AWSServiceRoleForAmazonSSM", policy: "AmazonSSMServiceRolePolicy",
            description: "Provides access to AWS Resources managed or used by Amazon SSM."),
        "sso.amazonaws.com": .init(
            name: "AWSServiceRoleForSSO", policy: "AWSSSOServiceRolePolicy",
            description: "Service-linked role used by AWS SSO to manage AWS resources, "
                + "including IAM roles, policies and SAML IdP on your behalf."),
        "support.amazonaws.com": .init(name: "AWSServiceRoleForSupport", policy: "AWSSupportServiceRolePolicy"),
        "trustedadvisor.amazonaws.com": .init(name: "AWSServiceRoleForTrustedAdvisor", policy: "AWSTrustedAdvisorServiceRolePolicy"),
        "vpcorigin.cloudfront.amazonaws.com": .init(
            name: "AWSServiceRoleForCloudFrontVPCOrigin", policy: "AWSCloudFrontVPCOriginServiceRolePolicy"),
        "waf.amazonaws.com": .init(name: "AWSServiceRoleForWAFLogging", policy: "WAFLoggingServiceRolePolicy"),
        "wafv2.amazonaws.com": .init(name: "AWSServiceRoleForWAFV2Logging", policy: "WAFV2LoggingServiceRolePolicy"),
    ]
}
