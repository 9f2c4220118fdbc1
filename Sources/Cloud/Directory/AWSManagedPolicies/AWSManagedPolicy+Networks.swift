extension AWSManagedPolicy {
    /// Policies for networks and addresses. (AWS Managed Policy Reference; the documents are AWS's own.)
    static let networks: [AWSManagedPolicy] = [
        .init(
            "AmazonRoute53FullAccess", path: "/", version: 7, created: 1423248054, updated: 1770919240,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["route53:*", "route53domains:*",
             "cloudfront:ListDistributions", "cloudfront:GetDistributionTenantByDomain", "cloudfront:GetConnectionGroup",
             "cloudwatch:DescribeAlarms", "cloudwatch:GetMetricStatistics", "cloudwatch:GetMetricData", "ec2:DescribeVpcs",
             "ec2:DescribeVpcEndpoints", "ec2:DescribeRegions", "elasticloadbalancing:DescribeLoadBalancers",
             "elasticbeanstalk:DescribeEnvironments", "es:ListDomainNames", "es:DescribeDomains", "lightsail:GetContainerServices",
             "s3:ListBucket", "s3:GetBucketLocation", "s3:GetBucketWebsite", "sns:ListTopics", "sns:ListSubscriptionsByTopic",
             "tag:GetResources"], "Resource": "*"}, {"Effect": "Allow", "Action": "apigateway:GET", "Resource":
             "arn:aws:apigateway:*::/domainnames"}]}
            """#),
        .init(
            "AmazonRoute53ReadOnlyAccess", path: "/", version: 2, created: 1423248055, updated: 1479244516,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["route53:Get*", "route53:List*",
             "route53:TestDNSAnswer"], "Resource": ["*"]}]}
            """#),
        .init(
            "AmazonVPCFullAccess", path: "/", version: 13, created: 1423248076, updated: 1770919244,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "AmazonVPCFullAccess", "Effect": "Allow", "Action":
             ["ec2:AcceptVpcPeeringConnection", "ec2:AcceptVpcEndpointConnections", "ec2:AllocateAddress", "ec2:AssignIpv6Addresses",
             "ec2:AssignPrivateIpAddresses", "ec2:AssociateAddress", "ec2:AssociateDhcpOptions", "ec2:AssociateRouteTable",
             "ec2:AssociateSecurityGroupVpc", "ec2:AssociateSubnetCidrBlock", "ec2:AssociateVpcCidrBlock", "ec2:AttachClassicLinkVpc",
             "ec2:AttachInternetGateway", "ec2:AttachNetworkInterface", "ec2:AttachVpnGateway", "ec2:AuthorizeSecurityGroupEgress",
             "ec2:AuthorizeSecurityGroupIngress", "ec2:CreateCarrierGateway", "ec2:CreateCustomerGateway", "ec2:CreateDefaultSubnet",
             "ec2:CreateDefaultVpc", "ec2:CreateDhcpOptions", "ec2:CreateEgressOnlyInternetGateway", "ec2:CreateFlowLogs",
             "ec2:CreateInternetGateway", "ec2:CreateLocalGatewayRouteTableVpcAssociation", "ec2:CreateNatGateway",
             "ec2:CreateNetworkAcl", "ec2:CreateNetworkAclEntry", "ec2:CreateNetworkInterface", "ec2:CreateNetworkInterfacePermission",
             "ec2:CreateRoute", "ec2:CreateRouteTable", "ec2:CreateSecurityGroup", "ec2:CreateSubnet", "ec2:CreateTags", "ec2:CreateVpc",
             "ec2:CreateVpcEndpoint", "ec2:CreateVpcEndpointConnectionNotification", "ec2:CreateVpcEndpointServiceConfiguration",
             "ec2:CreateVpcPeeringConnection", "ec2:CreateVpnConnection", "ec2:CreateVpnConnectionRoute", "ec2:CreateVpnGateway",
             "ec2:DeleteCarrierGateway", "ec2:DeleteCustomerGateway", "ec2:DeleteDhcpOptions", "ec2:DeleteEgressOnlyInternetGateway",
             "ec2:DeleteFlowLogs", "ec2:DeleteInternetGateway", "ec2:DeleteLocalGatewayRouteTableVpcAssociation", "ec2:DeleteNatGateway",
             "ec2:DeleteNetworkAcl", "ec2:DeleteNetworkAclEntry", "ec2:DeleteNetworkInterface", "ec2:DeleteNetworkInterfacePermission",
             "ec2:DeleteRoute", "ec2:DeleteRouteTable", "ec2:DeleteSecurityGroup", "ec2:DeleteSubnet", "ec2:DeleteTags", "ec2:DeleteVpc",
             "ec2:DeleteVpcEndpoints", "ec2:DeleteVpcEndpointConnectionNotifications", "ec2:DeleteVpcEndpointServiceConfigurations",
             "ec2:DeleteVpcPeeringConnection", "ec2:DeleteVpnConnection", "ec2:DeleteVpnConnectionRoute", "ec2:DeleteVpnGateway",
             "ec2:DescribeAccountAttributes", "ec2:DescribeAddresses", "ec2:DescribeAvailabilityZones", "ec2:DescribeCarrierGateways",
             "ec2:DescribeClassicLinkInstances", "ec2:DescribeCustomerGateways", "ec2:DescribeDhcpOptions",
             "ec2:DescribeEgressOnlyInternetGateways", "ec2:DescribeFlowLogs", "ec2:DescribeInstances", "ec2:DescribeInternetGateways",
             "ec2:DescribeIpv6Pools", "ec2:DescribeLocalGatewayRouteTables", "ec2:DescribeLocalGatewayRouteTableVpcAssociations",
             "ec2:DescribeKeyPairs", "ec2:DescribeMovingAddresses", "ec2:DescribeNatGateways", "ec2:DescribeNetworkAcls",
             "ec2:DescribeNetworkInterfaceAttribute", "ec2:DescribeNetworkInterfacePermissions", "ec2:DescribeNetworkInterfaces",
             "ec2:DescribePrefixLists", "ec2:DescribeRouteTables", "ec2:DescribeSecurityGroupReferences",
             "ec2:DescribeSecurityGroupRules", "ec2:DescribeSecurityGroups", "ec2:DescribeSecurityGroupVpcAssociations",
             "ec2:DescribeStaleSecurityGroups", "ec2:DescribeSubnets", "ec2:DescribeTags", "ec2:DescribeVpcAttribute",
             "ec2:DescribeVpcClassicLink", "ec2:DescribeVpcClassicLinkDnsSupport", "ec2:DescribeVpcEndpointConnectionNotifications",
             "ec2:DescribeVpcEndpointConnections", "ec2:DescribeVpcEndpoints", "ec2:DescribeVpcEndpointServiceConfigurations",
             "ec2:DescribeVpcEndpointServicePermissions", "ec2:DescribeVpcEndpointServices", "ec2:DescribeVpcPeeringConnections",
             "ec2:DescribeVpcs", "ec2:DescribeVpnConnections", "ec2:DescribeVpnGateways", "ec2:DetachClassicLinkVpc",
             "ec2:DetachInternetGateway", "ec2:DetachNetworkInterface", "ec2:DetachVpnGateway", "ec2:DisableVgwRoutePropagation",
             "ec2:DisableVpcClassicLink", "ec2:DisableVpcClassicLinkDnsSupport", "ec2:DisassociateAddress", "ec2:DisassociateRouteTable",
             "ec2:DisassociateSecurityGroupVpc", "ec2:DisassociateSubnetCidrBlock", "ec2:DisassociateVpcCidrBlock",
             "ec2:EnableVgwRoutePropagation", "ec2:EnableVpcClassicLink", "ec2:EnableVpcClassicLinkDnsSupport",
             "ec2:GetSecurityGroupsForVpc", "ec2:ModifyNetworkInterfaceAttribute", "ec2:ModifySecurityGroupRules",
             "ec2:ModifySubnetAttribute", "ec2:ModifyVpcAttribute", "ec2:ModifyVpcEndpoint",
             "ec2:ModifyVpcEndpointConnectionNotification", "ec2:ModifyVpcEndpointServiceConfiguration",
             "ec2:ModifyVpcEndpointServicePermissions", "ec2:ModifyVpcPeeringConnectionOptions", "ec2:ModifyVpcTenancy",
             "ec2:MoveAddressToVpc", "ec2:RejectVpcEndpointConnections", "ec2:RejectVpcPeeringConnection", "ec2:ReleaseAddress",
             "ec2:ReplaceNetworkAclAssociation", "ec2:ReplaceNetworkAclEntry", "ec2:ReplaceRoute", "ec2:ReplaceRouteTableAssociation",
             "ec2:ResetNetworkInterfaceAttribute", "ec2:RestoreAddressToClassic", "ec2:RevokeSecurityGroupEgress",
             "ec2:RevokeSecurityGroupIngress", "ec2:UnassignIpv6Addresses", "ec2:UnassignPrivateIpAddresses",
             "ec2:UpdateSecurityGroupRuleDescriptionsEgress", "ec2:UpdateSecurityGroupRuleDescriptionsIngress"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonVPCReadOnlyAccess", path: "/", version: 12, created: 1423248077, updated: 1770919099,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "AmazonVPCReadOnlyAccess", "Effect": "Allow", "Action":
             ["ec2:DescribeAccountAttributes", "ec2:DescribeAddresses", "ec2:DescribeCarrierGateways", "ec2:DescribeClassicLinkInstances",
             "ec2:DescribeCustomerGateways", "ec2:DescribeDhcpOptions", "ec2:DescribeEgressOnlyInternetGateways", "ec2:DescribeFlowLogs",
             "ec2:DescribeInternetGateways", "ec2:DescribeLocalGatewayRouteTables", "ec2:DescribeLocalGatewayRouteTableVpcAssociations",
             "ec2:DescribeMovingAddresses", "ec2:DescribeNatGateways", "ec2:DescribeNetworkAcls", "ec2:DescribeNetworkInterfaceAttribute",
             "ec2:DescribeNetworkInterfacePermissions", "ec2:DescribeNetworkInterfaces", "ec2:DescribePrefixLists",
             "ec2:DescribeRouteTables", "ec2:DescribeSecurityGroupReferences", "ec2:DescribeSecurityGroupRules",
             "ec2:DescribeSecurityGroups", "ec2:DescribeSecurityGroupVpcAssociations", "ec2:DescribeStaleSecurityGroups",
             "ec2:DescribeSubnets", "ec2:DescribeTags", "ec2:DescribeVpcAttribute", "ec2:DescribeVpcClassicLink",
             "ec2:DescribeVpcClassicLinkDnsSupport", "ec2:DescribeVpcEndpoints", "ec2:DescribeVpcEndpointConnectionNotifications",
             "ec2:DescribeVpcEndpointConnections", "ec2:DescribeVpcEndpointServiceConfigurations",
             "ec2:DescribeVpcEndpointServicePermissions", "ec2:DescribeVpcEndpointServices", "ec2:DescribeVpcPeeringConnections",
             "ec2:DescribeVpcs", "ec2:DescribeVpnConnections", "ec2:DescribeVpnGateways", "ec2:GetSecurityGroupsForVpc"], "Resource":
             "*"}]}
            """#),
        .init(
            "CloudFrontFullAccess", path: "/", version: 15, created: 1423247990, updated: 1785429747,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "cfflistbuckets", "Effect": "Allow", "Action": ["s3:ListAllMyBuckets"],
             "Resource": "arn:aws:s3:::*"}, {"Sid": "cffullaccess", "Effect": "Allow", "Action": ["acm:DescribeCertificate",
             "acm:ListCertificates", "cloudfront:*", "cloudfront-keyvaluestore:*", "iam:ListServerCertificates", "waf:ListWebACLs",
             "waf:GetWebACL", "wafv2:ListWebACLs", "wafv2:GetWebACL", "wafv2:CreateWebACL", "kinesis:ListStreams",
             "ec2:DescribeInstances", "elasticloadbalancing:DescribeLoadBalancers", "ec2:DescribeInternetGateways",
             "ec2:DescribeIpamPools", "ec2:GetIpamPoolCidrs", "pricingplanmanager:ListSubscriptions",
             "pricingplanmanager:CreateSubscription", "cloudwatch:GetMetricData", "freetier:GetAccountPlanState",
             "shield:ListProtections"], "Resource": "*"}, {"Sid": "cfrequestcertificate", "Effect": "Allow", "Action":
             ["acm:RequestCertificate"], "Resource": "*", "Condition": {"StringEquals": {"aws:CalledViaLast":
             "cloudfront.amazonaws.com"}}}, {"Sid": "cffdescribestream", "Effect": "Allow", "Action": ["kinesis:DescribeStream"],
             "Resource": "arn:aws:kinesis:*:*:*"}, {"Sid": "cfflistroles", "Effect": "Allow", "Action": ["iam:ListRoles"], "Resource":
             "arn:aws:iam::*:*"}, {"Sid": "ppmFullAccess", "Effect": "Allow", "Action": ["pricingplanmanager:ApprovePaidSubscription",
             "pricingplanmanager:AssociateResourcesToSubscription", "pricingplanmanager:CancelSubscription",
             "pricingplanmanager:CancelSubscriptionChange", "pricingplanmanager:DisassociateResourcesFromSubscription",
             "pricingplanmanager:GetSubscription", "pricingplanmanager:UpdateSubscription"], "Resource":
             "arn:aws:pricingplanmanager::*:subscription:*"}]}
            """#),
        .init(
            "CloudFrontReadOnlyAccess", path: "/", version: 12, created: 1423247995, updated: 1770919146,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "cfReadOnly", "Effect": "Allow", "Action": ["acm:DescribeCertificate",
             "acm:ListCertificates", "cloudfront:Describe*", "cloudfront:Get*", "cloudfront:List*", "cloudfront-keyvaluestore:Describe*",
             "cloudfront-keyvaluestore:Get*", "cloudfront-keyvaluestore:List*", "iam:ListServerCertificates", "route53:List*",
             "waf:ListWebACLs", "waf:GetWebACL", "wafv2:ListWebACLs", "wafv2:GetWebACL", "ec2:DescribeIpamPools", "ec2:GetIpamPoolCidrs",
             "pricingplanmanager:ListSubscriptions", "pricingplanmanager:GetSubscription"], "Resource": "*"}]}
            """#),
    ]
}
