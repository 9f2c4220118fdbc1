<?php
// SimpleSAMLphp's settings. The folder of this file has settings.json, which the test writes.

$settings = json_decode(file_get_contents(__DIR__ . '/settings.json'), true);
$config = [
    'baseurlpath' => $settings['url'] . '/simplesaml/',
    'application' => ['baseURL' => $settings['url'] . '/'],
    'certdir' => __DIR__ . '/',
    'loggingdir' => __DIR__ . '/',
    'datadir' => __DIR__ . '/',
    'tempdir' => __DIR__ . '/',
    'metadatadir' => __DIR__ . '/metadata/',
    'secretsalt' => 'salt-of-the-tests',
    'auth.adminpassword' => 'password-of-the-tests',
    'admin.checkforupdates' => false,
    'timezone' => 'UTC',
    'technicalcontact_email' => 'nobody@service.example',
    'trusted.url.domains' => null,
    'enable.saml20-idp' => true,
    'enable.http_post' => true,
    'module.enable' => ['core' => true, 'saml' => true, 'exampleauth' => true],
    'debug' => ['saml' => false, 'backtraces' => true, 'validatexml' => true],
    'showerrors' => true,
    'errorreporting' => false,
    'logging.level' => SimpleSAML\Logger::INFO,
    'logging.handler' => 'errorlog',
    'statistics.out' => [],
    'store.type' => 'phpsession',
    'session.cookie.secure' => false,
    'session.cookie.samesite' => null,
    'session.phpsession.savepath' => __DIR__,
    'language.cookie.secure' => false,
    'language.default' => 'en',
    'metadata.sources' => array_merge(
        [['type' => 'flatfile']],
        array_map(function ($file) {
            return ['type' => 'xml', 'file' => __DIR__ . '/' . $file];
        }, $settings['metadata'])
    ),
];
